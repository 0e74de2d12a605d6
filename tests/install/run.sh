#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Installs Tessera in the three ways that it can be, each into a folder of its own that is moved afterwards, and asks each for the
# same permeability: `pip install .`, `cmake --install` with a program on libtessera, and the package of `cpack -G DEB`.
#
#   tests/install/run.sh [wheel|prefix|deb]...   all, unless some are named
#
set -euo pipefail
cd "$(dirname "$0")/../.."
source_folder=$PWD
build=$source_folder/build/release
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export STARPU_HOME=$folder OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HWLOC_COMPONENTS=-opencl
unset PYTHONPATH LD_LIBRARY_PATH
cd "$folder"

fail() { echo "tests/install: $1" >&2; exit 1; }

# compare NAME K: of all, the digits have to be those of the first.
first=
compare() {
  [[ -n $2 ]] || fail "$1 gives no permeability"
  echo "tests/install: $1: $2 voxels^2"
  if [[ -z $first ]]; then first=$2; fi
  [[ $2 == "$first" ]] || fail "$1 gives $2, others $first"
}

# command_of PROGRAM: k of the sample by a program, from a folder that is not its own.
command_of() {
  "$1" generate spheres --size 40 --radius 7 --porosity 0.4 --seed 5 --out pack.raw >/dev/null
  "$1" permeability pack.raw --shape 40,40,40 --no-fields --quiet --gpus 0 --cores 1 --out out >/dev/null
  /usr/bin/python3 -c 'import json; print(json.load(open("out/results.json"))["permeability"]["x"]["k_lattice"])'
}

wheel() {
  /usr/bin/python3 -m venv venv
  env -u PKG_CONFIG_PATH CMAKE_BUILD_PARALLEL_LEVEL="$(nproc)" venv/bin/pip install --quiet "$source_folder"
  "$build/bin/tessera" generate spheres --size 40 --radius 7 --porosity 0.4 --seed 5 --out pack.raw >/dev/null
  compare "pip install" "$(venv/bin/python - <<'PYTHON'
import numpy as np
import tessera
im = np.fromfile("pack.raw", np.uint8).reshape(40, 40, 40) == 0
print(tessera.permeability(im, axis=2, fields=False, gpus=0, cores=1, progress=False).k_lattice)
PYTHON
)"
}

prefix() {
  cmake --install "$build" --prefix "$folder/made" >/dev/null
  mv made moved
  compare "cmake --install" "$(command_of "$folder/moved/bin/tessera")"
  cmake -S "$source_folder/examples/library" -B example -DCMAKE_PREFIX_PATH="$folder/moved" >/dev/null
  cmake --build example >/dev/null
  example/porosity_and_k >/dev/null || fail "the example on libtessera fails"
}

deb() {
  (cd "$build" && cpack -G DEB -B "$folder/package" >/dev/null)
  dpkg-deb -x package/*.deb root
  compare "cpack -G DEB" "$(command_of "$folder/root/usr/bin/tessera")"
}

for way in "${@:-wheel prefix deb}"; do
  for one in $way; do "$one"; done
done
