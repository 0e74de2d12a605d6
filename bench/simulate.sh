#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Simulates steps on clusters that are not at hand: StarPU itself, on SimGrid, with the tiles of real rocks and measured times
# (bench/simulate/measured.json). Builds what it needs, cuts the rocks, prints tables. What it prints is simulated, not measured.
#
#   bench/simulate.sh calibrate              one host, against what was measured
#   bench/simulate.sh weak   [--nodes 2,8]   a rock for each GPU: that of a process, cut as among others, and copies of it
#   bench/simulate.sh strong [--nodes 2,8]   one rock on ever more GPUs, likewise
#   bench/simulate.sh whole  [--nodes 2,8]   a rock for all, cut over the processes as a run cuts it; powers of two
#
# Options behind these are those of bench/simulate/simulate.py. With processes of 8 GPUs their rock takes minutes and 6 GB to be cut,
# once. On two cores calibration takes a minute, 8 nodes seconds, 64 nodes a quarter of an hour; StarPU is built once, in some minutes.
#
#   SIMULATED  where the program and the rocks go (default: build/simulate)
#   IMAGE      for weak: the image of a process and its options, "berea.tif --repeat 2,2,2", in place of spheres
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
gpus=$(option gpus 8)
of_rank=$(option gpus-of-rank 8)

# shape EDGE TIMES: a cube, or twice or half of it as often as TIMES says.
shape() {
  local side=("$1" "$1" "$1") i
  for ((i = 0; i < $2; ++i)); do side[2 - i % 3]=$((2 * side[2 - i % 3])); done
  for ((i = 0; i > $2; --i)); do side[2 + i % 3]=$((side[2 + i % 3] / 2)); done
  (IFS=,; echo "${side[*]}")
}
# log2 NUMBER: the exponent of a power of two.
log2() {
  local n=0
  while ((1 << n < $1)); do n=$((n + 1)); done
  echo "$n"
}
# among NAME OPTIONS...: the rock of a process beside others.
among() { cut "$1" "$of_rank" $((tiles * of_rank)) --among-others "${how[@]}" "${@:2}"; }

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
      rm -f "$out/image-$of_rank-$((tiles * of_rank)).json"
      among image "${image[@]}"
    else
      among box --size "$(shape 704 "$(log2 "$of_rank")")"
    fi
    ;;
  strong)
    for nodes in $(option nodes 1,2,8 | tr , ' '); do
      among "part$nodes" --size "$(shape 704 $(($(log2 "$of_rank") - $(log2 "$nodes"))))"
    done
    ;;
  whole)
    tiles=$(option tiles 8)  # as many as a run chooses for 100 M nodes a GPU: this rock has an eighth, and its lengths count twice
    for nodes in $(option nodes 1,2,8 | tr , ' '); do
      all=$((nodes * gpus))
      cut "whole$of_rank" "$all" $((tiles * all)) --size "$(shape 352 "$(log2 "$all")")" --ranks $((all / of_rank)) --radius 7 "${how[@]}"
    done
    ;;
esac
python3 bench/simulate/simulate.py "$mode" --program "$steps" --rocks "$out" "$@"
