#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Builds from Debian's source packages those libraries of a wheel (build-wheel.sh) whose binary packages cannot travel in it:
#
#   HDF5     Debian's reads files from S3, and brings twenty libraries of networks for it
#   libtiff  Debian's reads JBIG by a library under the GPL
#
# Prints on stdout one line, the folder for CMAKE_PREFIX_PATH; everything else goes to stderr. As in build-starpu.sh, they lie in a
# cache, under a name made from their recipe.
#
#   TESSERA_CACHE  where to keep them (default: $XDG_CACHE_HOME/tessera, else ~/.cache/tessera)
#   JOBS           parallel compiler jobs (default: one a core)
#
set -euo pipefail

scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
hdf5=1.10.8
tiff=4.5.0

tiff_options=(
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O2 -DCMAKE_INSTALL_LIBDIR=lib
  -Dtiff-tools=OFF -Dtiff-tests=OFF -Dtiff-contrib=OFF -Dtiff-docs=OFF -Djbig=OFF -Dlerc=OFF -Dwebp=OFF
)
hdf5_options=(CFLAGS=-O2 --disable-static --disable-cxx --disable-fortran --disable-hl --disable-tests --disable-dependency-tracking --with-szlib)

recipe=$({ echo "$hdf5 $tiff ${hdf5_options[*]} ${tiff_options[*]}"; cc --version; } | sha256sum | cut -c1-12)
cache=${TESSERA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tessera}
prefix=$cache/portable-$recipe
mkdir -p "$cache"
exec 9>"$prefix.lock"
flock 9  # one build at a time: who waited finds it done
if [[ -e $prefix/.complete ]]; then echo "$prefix"; exit; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$prefix.log
: >"$log"
logged() {
  if ! "$@" >>"$log" 2>&1 9>&-; then
    tail -n 40 "$log" >&2
    echo "build-portable-libraries: failed: $* (log: $log)" >&2
    exit 1
  fi
}

# unpack PACKAGE VERSION
unpack() {
  echo "build-portable-libraries: $1 $2" >&2
  logged "$scripts/debian-source.sh" "$1" "$2"
  mkdir -p "$prefix/licenses"
  cp "$1/debian/copyright" "$prefix/licenses/$1.txt"
}
jobs=${JOBS:-$(nproc)}

cd "$work"
rm -rf "$prefix"  # what an interrupted build left
unpack tiff "$tiff"
logged cmake -S tiff -B tiff-build -DCMAKE_INSTALL_PREFIX="$prefix" "${tiff_options[@]}"
logged cmake --build tiff-build --parallel "$jobs" --target install

# The library and h5cc, which CMake asks where it lies; none of HDF5's programs.
unpack hdf5 "$hdf5"
mkdir hdf5-build
cd hdf5-build
logged ../hdf5/configure --prefix="$prefix" "${hdf5_options[@]}"
for part in src bin; do logged make -C "$part" -j "$jobs" install; done
touch "$prefix/.complete"
echo "$prefix"
