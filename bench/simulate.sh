#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Simulates steps on clusters that are not at hand: StarPU itself, on SimGrid, with the tiles of real rocks and measured times
# (bench/simulate/measured.json). Builds what it needs, cuts the rocks, prints tables. What it prints is simulated, not measured.
#
#   bench/simulate.sh calibrate              one host, against what was measured
#   bench/simulate.sh weak   [--nodes 1,8]   a rock for each GPU
#   bench/simulate.sh strong [--nodes 1,8]   one rock on ever more GPUs
#
# Options behind these are those of bench/simulate/simulate.py. On two cores calibration takes half a minute, one node a second,
# 8 nodes half a minute to some minutes, 64 nodes half an hour and 2 GB; StarPU is built once, in some minutes.
#
#   SIMULATED  where the program and the rocks go (default: build/simulate)
#   IMAGE      for weak: an image and its options, "berea.tif --repeat 2,2,2", in place of spheres
#   JOBS       parallel compiler jobs
#
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=${1:-}
if [[ ! $mode =~ ^(calibrate|weak|strong)$ ]]; then
  echo "simulate.sh ${mode:-}: expected calibrate, weak or strong" >&2
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
    build/release/bin/tessera-bench tiles --gpus "$2" --tiles "$3" --json "$file" "${@:4}"
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
tiles=$(option tiles 10)

case $mode in
  calibrate)
    for rock in 640-1-16 640-1-32 640-2-32 640-4-28 640-4-72 512-1-8 512-1-16 550-1-32 550-4-64; do
      IFS=- read -r size gpus of_it <<<"$rock"
      cut "$size" "$gpus" "$of_it" --size "$size,$size,$size"
    done
    ;;
  weak)
    if [[ -n ${IMAGE:-} ]]; then
      read -ra image <<<"$IMAGE"
      set -- "$@" --size image
      rm -f "$out/image-1-$tiles.json"
      cut image 1 "$tiles" "${image[@]}"
    else
      cut 704 1 "$tiles" --size 704,704,704
    fi
    ;;
  strong)
    cut part1 1 "$tiles" --size 704,704,704
    cut part2 1 "$tiles" --size 704,704,352
    cut part4 1 "$tiles" --size 704,352,352
    cut part8 1 "$tiles" --size 352,352,352
    cut part16 1 "$tiles" --size 352,352,176
    cut part32 1 "$tiles" --size 352,176,176
    cut part64 1 "$tiles" --size 176,176,176
    ;;
esac
python3 bench/simulate/simulate.py "$mode" --program "$steps" --rocks "$out" "$@"
