#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Computes the permeability of a simple cubic array of spheres with a solid fraction of 0.216, and
# compares it with the value for true spheres: drag coefficient 7.442 in table 2 of Zick and Homsy,
# J. Fluid Mech. 115 (1982) 13, here with more digits. Run it by "make demo", which builds Tessera.
#
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tessera=${TESSERA:-build/release/bin/tessera}
out=build/demo
size=32  # voxels along the side of the unit cell

# MPI refuses to start as root, in a container say, unless told that it may.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

mkdir -p "$out"
"$tessera" generate sphere-array --lattice sc --solid-fraction 0.216 --size "$size" \
  --out "$out/sc.raw"

# With ParaView in this build, pictures of the flow while it is computed.
look=() display=()
if [[ -e $(dirname "$tessera")/../lib/tessera/libtessera_paraview.so ]] && command -v xvfb-run >/dev/null; then
  look=(--insitu slice) display=(xvfb-run -a)
fi
"${display[@]}" "$tessera" permeability "$out/sc.raw" --shape "$size,$size,$size" --periodic --axis x \
  --out "$out/sc" "${look[@]}"

python3 - "$out/sc/results.json" "$size" <<'PYTHON'
import json
import sys

path, size = sys.argv[1], int(sys.argv[2])
with open(path) as file:
    computed = json.load(file)["permeability"]["x"]["k_lattice"]
exact = 0.019152415 * size**2
difference = computed / exact - 1

print()
print(f"Permeability of a simple cubic array of spheres, {size}^3 voxels, in voxels squared")
print(f"  computed    {computed:10.4f}")
print(f"  exact       {exact:10.4f}   for true spheres")
print(f"  difference  {difference:10.2%}   made by the staircase of voxels: a few per cent")
if abs(difference) > 0.08:
    sys.exit("demo: the difference is larger than the voxels explain")
PYTHON

echo
echo "Results: $out/sc/results.json"
for picture in "$out"/sc/insitu/*.png; do last=$picture; done
if [[ -e $last ]]; then echo "A picture, drawn while the flow was computed: $last"; fi
for field in "$out"/sc/*.vtkhdf; do
  if [[ -e $field ]]; then echo "Open in ParaView: $field"; fi
done
