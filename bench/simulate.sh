#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Simulates steps on clusters that are not at hand: StarPU itself, on SimGrid, with the tiles of real rocks and measured times
# (bench/simulate/measured.json). Builds what it needs, cuts the rocks, prints tables. What it prints is simulated, not measured.
#
#   bench/simulate.sh calibrate              one host, against what was measured
#   bench/simulate.sh weak   [--nodes 1,8]   a rock for each GPU
#   bench/simulate.sh strong [--nodes 1,8]   one rock on ever more GPUs
#   bench/simulate.sh whole  [--nodes 1,8]   a rock for all, cut over the processes as a run cuts it, where the others have
#                                            copies of one GPU's; powers of two, 8 nodes want 8 GB to be cut
#
# Options behind these are those of bench/simulate/simulate.py. On two cores calibration takes half a minute, one node a second,
# 8 nodes half a minute to some minutes, 64 nodes half an hour and 2 GB; StarPU is built once, in some minutes.
#
#   SIMULATED  where the program and the rocks go (default: build/simulate)
#   IMAGE      for weak: an image and its options, "berea.tif --repeat 2,2,2", in place of spheres
#   CUT        compact: tiles by METIS alone, in place of those that a run takes
#   JOBS       parallel compiler jobs
#
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=${1:-}
if [[ ! $mode =~ ^(calibrate|weak|strong|whole)$ ]]; then
  echo "simulate.sh ${mode:-}: expected calibrate, weak, strong or whole" >&2
  exit 2
fi
shift
out=${SIMULATED:-build/simulate}
mkdir -p "$out"

scripts/install-dependencies.sh --simgrid
if ! starpu=$(scripts/build-starpu.sh --simgrid --find); then starpu=$(scripts/build-starpu.sh --simgrid); fi

steps=$out/steps
sources=(bench/simulate/{bytes,share,steps}.cpp)
if [[ ! -x $steps || -n $(find bench/simulate -name '*pp' -newer "$steps") ]]; then
  export PKG_CONFIG_PATH=$starpu
  read -ra flags <<<"$(pkg-config --cflags starpumpi-1.3 | sed 's/-I/-isystem /g') -L${starpu%/pkgconfig}"
  # SMPI loads it as a shared object, a copy for each process.
  smpicxx -std=c++20 -O2 -fPIC -s -I. "${sources[@]}" -o "$steps" "${flags[@]}" \
    -Wl,--wrap=MPI_Isend,--wrap=MPI_Irecv \
    -lstarpumpi-1.3 -lstarpu-1.3 -lsimgrid -lstdc++ -lpthread -lm
fi

# cut NAME GPUS TILES OPTIONS...: the tiles of a rock, unless they are there.
cut() {
  local file=$out/$1-$2-$3.json
  if [[ ! -e $file ]]; then
    if [[ ! -x build/release/bin/tessera-bench ]]; then scripts/build.sh release tessera-bench; fi
    nice build/release/bin/tessera-bench tiles --gpus "$2" --tiles "$3" --json "$file" "${@:4}"
  fi
}

# option NAME DEFAULT: what follows --NAME among the arguments.
option() {
  local value=$2
  for ((i = 1; i < ${#arguments[@]}; ++i)); do
    if [[ ${arguments[i - 1]} == "--$1" ]]; then value=${arguments[i]}; fi
  done
  echo "$value"
}
arguments=("$@")
tiles=$(option tiles 0)
how=()
if [[ ${CUT:-} == compact ]]; then
  how=(--compact)
  out=$out/compact  # rocks cut in another way
  mkdir -p "$out"
fi
# One of many boxes side by side: its copies are of other GPUs.
among() { cut "$1" 1 "$tiles" --size "$2" --among-others "${how[@]}"; }

case $mode in
  calibrate)
    # As they were cut when they were measured.
    for rock in 640-1-16 640-1-32 640-2-32 640-4-28 640-4-72 512-1-8 512-1-16 550-1-32 550-4-64; do
      IFS=- read -r size gpus of_it <<<"$rock"
      cut "$size" "$gpus" "$of_it" --size "$size,$size,$size" --compact
    done
    for rock in weak480-16-32 strong480-16-16 strong256-8-2; do
      IFS=- read -r name in_a_row of_it <<<"$rock"
      size=${name//[a-z]/}
      shape=$size,$size,$size
      if [[ $name == weak480 ]]; then shape=480,480,960; fi
      cut "$name-row" 2 "$in_a_row" --size "$shape" --porosity 0.6
      cut "$name" 2 "$of_it" --size "$shape" --porosity 0.6 --ranks 2 --compact
    done
    ;;
  weak)
    if [[ -n ${IMAGE:-} ]]; then
      read -ra image <<<"$IMAGE"
      set -- "$@" --size image
      rm -f "$out/image-1-$tiles.json"
      cut image 1 "$tiles" "${image[@]}" --among-others "${how[@]}"
    else
      among box704 704,704,704
    fi
    ;;
  strong)
    among part1 704,704,704
    among part2 704,704,352
    among part4 704,352,352
    among part8 352,352,352
    among part16 352,352,176
    among part32 352,176,176
    among part64 176,176,176
    ;;
  whole)
    tiles=$(option tiles 8)  # as many as a run chooses for 100 M nodes a GPU: this rock has an eighth
    gpus=$(option gpus 8)
    of_rank=$(option gpus-of-rank 8)
    for nodes in $(option nodes 1,2,8 | tr , ' '); do
      all=$((nodes * gpus))
      # 352 voxels for each GPU along each axis, whose lengths count twice.
      x=1 y=1 z=1
      while ((x * y * z < all)); do
        if ((x == y && y == z)); then z=$((2 * z)); elif ((x == y)); then y=$((2 * y)); else x=$((2 * x)); fi
      done
      cut "whole$of_rank" "$all" $((tiles * all)) --size "$((352 * x)),$((352 * y)),$((352 * z))" \
        --ranks $((all / of_rank)) --radius 7 "${how[@]}"
    done
    ;;
esac
python3 bench/simulate/simulate.py "$mode" --program "$steps" --rocks "$out" "$@"
