#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Finds a StarPU that has what Tessera needs, or builds one from Debian's source package.
#
# Prints on stdout one line, the directory to put in PKG_CONFIG_PATH; everything else goes to
# stderr. A StarPU built here lands in a cache outside the build folder, under a name made from its
# recipe, so that a second call only looks it up.
#
#   --find         only look: exit status 1 if one has to be built
#   --simgrid      the one for bench/simulate.sh, on SimGrid: machines that exist on paper only
#                  (packages: install-dependencies.sh --simgrid)
#   --no-mpi       the one for a build without MPI (TESSERA_MPI=OFF)
#   --portable     the one for scripts/build-wheel.sh: our own, without CUDA and FxT, whatever this machine has
#
#   TESSERA_CACHE  where to keep it (default: $XDG_CACHE_HOME/tessera, else ~/.cache/tessera)
#   JOBS           parallel compiler jobs (default: one a core)
#
set -euo pipefail

scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
patch_files=("$scripts/starpu-cuda13.patch" "$scripts/starpu-no-cublas.patch")
version=1.3.10

# What Tessera needs, and Debian's binary package lacks.
max_cpus=256         # CPU workers
max_buffers=64       # data handles of one task
max_cuda_devices=8
max_numa_nodes=8
max_memory_nodes=16  # NUMA nodes and GPUs

say() { echo "build-starpu: $*" >&2; }
die() { say "$*"; exit 1; }

find_only=
simulated=
portable=
mpi=mpi
for option in "$@"; do
  case $option in
    --find) find_only=1 ;;
    --simgrid) simulated=1 ;;
    --no-mpi) mpi= ;;
    --portable) portable=1 ;;
    *) say "unknown option $option: expected --find, --simgrid, --no-mpi, --portable"; exit 2 ;;
  esac
done

# --------------------------------------------------------------------------------------- tools ---

nvcc=
if [[ -z $simulated$portable ]]; then nvcc=$(command -v nvcc || true); fi  # simulated GPUs need no CUDA
for home in "${CUDA_HOME:-}" "${CUDA_PATH:-}"; do
  if [[ -z $nvcc$simulated$portable && -x $home/bin/nvcc ]]; then nvcc=$home/bin/nvcc; fi
done
cuda_dir=
if [[ -n $nvcc ]]; then  # ask it: nvcc on the PATH may be a wrapper
  cuda_dir=$("$nvcc" --dryrun -x cu -c /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p')
  cuda_dir=$(realpath "$cuda_dir")
fi

# ------------------------------------------------------------------------- an installed StarPU ---

# The value of macro $2 in the StarPU known to pkg-config as $1; nothing if it is not defined.
macro() {
  local flags
  read -ra flags <<<"$(pkg-config --cflags "$1")"
  cc -E -dM "${flags[@]}" -include starpu_config.h -x c /dev/null 2>/dev/null |
    awk -v name="$2" '$2 == name { print $3 }'
}

# Is pkg-config's $1 there, with room enough, and with CUDA where there is nvcc?
suits() {
  pkg-config --exists "$1" || return 1
  (($(macro "$1" STARPU_MAXCPUS) + 0 >= max_cpus)) || return 1
  (($(macro "$1" STARPU_NMAXBUFS) + 0 >= max_buffers)) || return 1
  if [[ -n $cuda_dir ]]; then
    [[ -n $(macro "$1" STARPU_USE_CUDA) ]] || return 1
    (($(macro "$1" STARPU_MAXCUDADEVS) + 0 >= max_cuda_devices)) || return 1
  fi
}

for module in "starpu$mpi-1.4" "starpu$mpi-1.3"; do
  if [[ -z $simulated$portable ]] && suits "$module"; then
    say "using StarPU $(pkg-config --modversion "$module") of" \
      "$(pkg-config --variable=prefix "$module")"
    pkg-config --variable=pcfiledir "$module"
    exit
  fi
done

# ---------------------------------------------------------------------------------- the recipe ---

# SMPI loads a program once for each rank, and StarPU's static tables with it.
if [[ -n $simulated ]]; then
  max_cpus=16
  patch_files+=("$scripts/starpu-simgrid.patch")
fi

# CUDA's headers of today flag much of what StarPU's headers mention as deprecated: keep it quiet.
options=(
  CFLAGS=-O2
  CPPFLAGS=-DDISABLE_CUSPARSE_DEPRECATED
  "--enable-maxcpus=$max_cpus"
  "--enable-maxbuffers=$max_buffers"
  "--enable-maxcudadev=$max_cuda_devices"
  "--enable-maxnumanodes=$max_numa_nodes"
  "--enable-maxnodes=$max_memory_nodes"
  --disable-dependency-tracking  # compiled once
  --disable-build-doc --disable-build-examples --disable-build-tests --disable-static
  --disable-opencl --disable-fortran --disable-starpufft
  --disable-glpk --disable-hdf5 --enable-blas-lib=none --without-x
)
if [[ -n $cuda_dir ]]; then
  # The stub of the driver's library stands in for it where there is no driver.
  options+=(
    --with-cuda-dir="$cuda_dir"
    ac_cv_lib_cusparse_cusparseCreate=no
    LDFLAGS="-L$cuda_dir/lib64/stubs -Wl,-rpath,$cuda_dir/lib64"
  )
else
  options+=(--disable-cuda)
fi
if [[ -n $simulated ]]; then
  command -v smpicc >/dev/null || die "no SimGrid here: scripts/install-dependencies.sh --simgrid"
  # MPI is off by default. Programs become shared objects, and StarPU a part of them.
  options+=(
    --enable-simgrid --enable-mpi
    --with-mpicc="$(command -v smpicc)" --with-mpicxx="$(command -v smpicxx)"
    --disable-shared --enable-static CFLAGS="-O2 -fPIC"
  )
elif [[ -z $portable ]] && pkg-config --exists fxt; then  # its licence is the GPL: it travels with no wheel
  options+=(--with-fxt)  # execution traces
fi
if [[ -z $mpi ]]; then options+=(--disable-mpi); fi

recipe=$({
  echo "${options[@]}"
  cat "${patch_files[@]}"
  cc --version
  if [[ -n $nvcc ]]; then "$nvcc" --version; fi
  if [[ -n $simulated ]]; then smpirun -version; fi
} | sha256sum | cut -c1-12)

cache=${TESSERA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tessera}
flavour=${cuda_dir:+-cuda}${simulated:+-simgrid}
prefix=$cache/starpu-$version$flavour-$recipe

if [[ -n $find_only ]]; then
  [[ -e $prefix/.complete ]] || exit 1
  say "using $prefix"
  echo "$prefix/lib/pkgconfig"
  exit
fi

mkdir -p "$cache"
exec 9>"$prefix.lock"
flock 9  # one build at a time: who waited finds it done
if [[ -e $prefix/.complete ]]; then
  say "using $prefix"
  echo "$prefix/lib/pkgconfig"
  exit
fi

# ----------------------------------------------------------------------------------- the build ---

start=$SECONDS
work=$(mktemp -d)
log=$prefix.log
: >"$log"

# It says now and then that it is at work, as long as this script is.
me=$$
while sleep 20 2>/dev/null && kill -0 "$me" 2>/dev/null && [[ -d $work ]]; do
  say "at work for $((SECONDS - start)) s: $(tail -n 1 "$log" | cut -c 1-60)"
done 9>&- >/dev/null &
ticker=$!
trap 'kill "$ticker" 2>/dev/null || true; rm -rf "$work"' EXIT

# Runs a command with its output in the log, the end of which is shown if the command fails.
logged() {
  if ! "$@" >>"$log" 2>&1 9>&-; then
    tail -n 40 "$log" >&2
    die "failed: $* (log: $log)"
  fi
}

cd "$work"
say "fetching the sources of StarPU $version"
logged "$scripts/debian-source.sh" starpu "$version"
for patch_file in "${patch_files[@]}"; do logged patch -d starpu -p1 -i "$patch_file"; done
# What is linked is loaded with each program.
sed -i 's/ -lcublas"$/"/' starpu/configure

# OpenMPI refuses to start as root, in a container say, unless told that it may.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

say "building StarPU $version$flavour: some minutes (log: $log)"
rm -rf "$prefix"  # what an interrupted build left
mkdir build
cd build
# libtool is a script that runs for each source: bash takes twice as long for it as a plain shell. configure adds -g3 to
# CFLAGS, as if StarPU itself were to be debugged: half of the compiler's time.
if [[ -x /bin/dash ]]; then export CONFIG_SHELL=/bin/dash; fi
logged "${CONFIG_SHELL:-/bin/sh}" ../starpu/configure --prefix="$prefix" "${options[@]}"
cflags=$(printf '%s\n' "${options[@]}" | sed -n 's/^CFLAGS=//p' | tail -n 1)
# The libraries, their headers and what pkg-config reads of them; none of StarPU's programs.
for libraries in src ${mpi:+mpi/src}; do
  logged make -C "$libraries" -j "${JOBS:-$(nproc)}" CFLAGS="$cflags" install
done
for headers in . ${mpi:+mpi}; do logged make -C "$headers" install-am; done
touch "$prefix/.complete"
say "installed $prefix after $((SECONDS - start)) s"
echo "$prefix/lib/pkgconfig"
