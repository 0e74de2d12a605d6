#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often the interval of `tessera permeability --refine 2` covers the truth, and how wide it is.

Truth is k of the same shape on voxels a quarter as wide (spheres, tubes, level sets of random waves), or of the
fine image that a coarse one has been made of by majority (crops of a rock: a raw file of uint8, 0 = pore).

    tests/validation/voxel_interval.py build/release/bin/tessera [--rock FILE EDGE]... > table.csv
"""

import argparse
import pathlib
import sys

import numpy as np

from images import BCC, FCC, SC, majority, permeability, spheres, waves


def along_x(binary, pore, *options):
    return permeability(binary, pore, "--tolerance", "1e-3", "--solver", "minres", *options)


def exact_shapes():
    for name, places, radius in (("sc", SC, 0.4), ("sc", SC, 0.47), ("bcc", BCC, 0.3), ("bcc", BCC, 0.41), ("fcc", FCC, 0.26),
                                 ("fcc", FCC, 0.33)):
        for n in 16, 32:
            yield f"{name} of radius {radius}", n, spheres(places, radius)
    for seed in range(6):
        places = np.random.default_rng(seed).random((24 + 4 * seed, 3))
        yield f"overlapping spheres seed {seed}", 32, spheres(places, 0.2)
    for seed in range(6):
        yield f"random waves seed {seed}", 32, waves(seed, 0.3 + 0.05 * (seed % 3), 3)


def rocks(files, crop=96):
    for file, edge in files:
        edge = int(edge)
        pore = np.fromfile(file, np.uint8).reshape(edge, edge, edge) == 0
        steps = max(edge // crop, 1)
        chosen = [(i, j, k) for i in range(steps) for j in range(steps) for k in range(steps)]
        for i, j, k in chosen[::max(len(chosen) // 12, 1)][:12]:
            part = pore[i * crop:(i + 1) * crop, j * crop:(j + 1) * crop, k * crop:(k + 1) * crop]
            yield f"{pathlib.Path(file).name} {i}{j}{k}", part


def row(kind, name, found, truth):
    k, voxels = found["k_lattice"], found["voxels"]
    covered = voxels["lower_lattice"] <= truth <= voxels["upper_lattice"]
    print(f"{kind},{name},{k:.6g},{truth:.6g},{k / truth:.4f},{voxels['lower_lattice'] / truth:.4f},"
          f"{voxels['upper_lattice'] / truth:.4f},{int(covered)}", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("tessera")
    options.add_argument("--rock", nargs=2, action="append", default=[])
    asked = options.parse_args()
    binary = str(pathlib.Path(asked.tessera).resolve())
    print("kind,name,k,truth,k over truth,lower over truth,upper over truth,covered")
    for name, n, shape in exact_shapes():
        fine = along_x(binary, shape(4 * n), "--periodic")["k_lattice"] / 16
        row("shape", f"{name} on {n}^3", along_x(binary, shape(n), "--periodic", "--refine", "2"), fine)
    for name, pore in rocks(asked.rock):
        try:
            fine = along_x(binary, pore)["k_lattice"]
        except RuntimeError:
            continue
        for factor in 2, 4:
            try:
                layers = ["--buffer-layers", str(max(8 // factor, 2))]
                row("rock", f"{name} coarsened {factor} times",
                    along_x(binary, majority(pore, factor), *layers, "--refine", "2"), fine / factor ** 2)
            except RuntimeError as error:  # nothing leads through any more
                print(f"# {name} {factor}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
