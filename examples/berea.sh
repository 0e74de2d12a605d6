#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Looks into an image of Berea sandstone, then computes its permeability along x, in millidarcy:
#
#   examples/berea.sh IMAGE [OPTIONS THAT SAY HOW TO READ IT]
#   examples/berea.sh berea_400.tif --crop 0:128,0:128,0:128
#   examples/berea.sh berea_100_u8.raw.gz --shape 100,100,100
#
# VOXEL_SIZE, AXIS, TESSERA and OUT in the environment replace the defaults below. All 400^3 voxels
# take some 3 GB of memory and minutes on a desktop: begin with a crop.
#
set -euo pipefail

if [[ $# -lt 1 || $1 == -* ]]; then
  sed -n '4,11s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tessera=${TESSERA:-$root/build/release/bin/tessera}
voxel_size=${VOXEL_SIZE:-5.345um}  # of Imperial College's Berea, 400^3
axis=${AXIS:-x}
out=${OUT:-$root/build/berea}

# MPI refuses to start as root, in a container say, unless told that it may.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# Labels, porosity, and whether the pores lead through; then the flow.
"$tessera" info "$@"
echo
"$tessera" permeability "$@" --voxel-size "$voxel_size" --axis "$axis" --out "$out"

echo
echo "Results: $out/results.json"
for field in "$out"/fields*.vtkhdf; do
  if [[ -e $field ]]; then echo "Open in ParaView: $field"; fi
done
