#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Computes what else than k a rock is asked for: k with the slip of a gas and what the voxels leave open, formation factor and
# tortuosity, and the spread of conductivities over cubes:
#
#   examples/beyond_permeability.sh IMAGE [OPTIONS THAT SAY HOW TO READ IT]
#   examples/beyond_permeability.sh berea_400.tif --crop 0:100,0:100,0:100
#   GREY=255=0.1mD examples/beyond_permeability.sh berea_400.tif --crop 0:100,0:100,0:100
#
# GREY=LABEL=PERMEABILITY computes k once more with the voxels of that label as a porous medium, here the grains. VOXEL_SIZE, AXIS,
# GAS, EDGES, TESSERA and OUT in the environment replace the defaults below.
#
set -euo pipefail

if [[ $# -lt 1 || $1 == -* ]]; then
  sed -n '4,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tessera=${TESSERA:-$root/build/release/bin/tessera}
voxel_size=${VOXEL_SIZE:-5.345um}  # of Imperial College's Berea, 400^3
axis=${AXIS:-x}
gas=${GAS:-nitrogen}
edges=${EDGES:-25,50}
out=${OUT:-$root/build/beyond-permeability}

# MPI refuses to start as root, in a container say, unless told that it may.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

flow=(--voxel-size "$voxel_size" --axis "$axis" --no-fields)
"$tessera" permeability "$@" "${flow[@]}" --gas "$gas" --refine 2 --out "$out/gas"
if [[ -n ${GREY:-} ]]; then
  echo
  "$tessera" permeability "$@" "${flow[@]}" --grey "$GREY" --out "$out/grey"
fi
echo
"$tessera" diffusion "$@" --axis "$axis" --out "$out/diffusion"
echo
"$tessera" rev "$@" --axis "$axis" --edges "$edges" --samples 8 --diffusion --out "$out/rev"

echo
echo "Results: $out/*/results.json, a line for each cube in $out/rev/rev.csv"
for field in "$out"/diffusion/fields*.vtkhdf; do
  if [[ -e $field ]]; then echo "Open in ParaView: $field"; fi
done
