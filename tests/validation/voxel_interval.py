#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often the interval of `tessera permeability --refine 2` covers the truth, and how wide it is.

Truth is k of the same shape on voxels a quarter as wide (spheres, tubes, level sets of random waves), or of the
fine image that a coarse one has been made of by majority (crops of a rock: a raw file of uint8, 0 = pore).

    tests/validation/voxel_interval.py build/release/bin/tessera [--rock FILE EDGE]... > table.csv
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np


def tessera(binary, pore, *options):
    """permeability.x of a boolean array with axes z, y, x."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "pore.raw").write_bytes((~pore).astype(np.uint8).tobytes())
        shape = ",".join(str(n) for n in reversed(pore.shape))
        run = subprocess.run([binary, "permeability", "pore.raw", "--shape", shape, "--quiet", "--no-fields",
                              "--tolerance", "1e-3", "--solver", "minres", *options, "--out", "out"], cwd=path, check=False,
                             capture_output=True, encoding="utf-8")
        if run.returncode != 0:
            raise RuntimeError(run.stderr)
        return json.loads((path / "out/results.json").read_text())["permeability"]["x"]


def centres(n):
    """Of voxels in the unit cube: z, y, x."""
    at = (np.arange(n) + 0.5) / n
    return np.meshgrid(at, at, at, indexing="ij", sparse=True)


def spheres(places, radius):
    """Pore outside periodic spheres in the unit cube."""
    def shape(n):
        pore = np.ones((n, n, n), bool)
        for place in places:
            square = sum((np.abs((axis - c + 0.5) % 1 - 0.5)) ** 2 for axis, c in zip(centres(n), place))
            pore &= square > radius ** 2
        return pore
    return shape


def waves(seed, porosity, finest):
    """Pore where a sum of random waves with periods of the cube is below a level."""
    random = np.random.default_rng(seed)
    vectors = [v for v in np.ndindex(2 * finest + 1, 2 * finest + 1, 2 * finest + 1)
               if 0 < sum((c - finest) ** 2 for c in v) <= finest ** 2]
    chosen = [(np.array(v) - finest, random.normal(), random.uniform(0, 2 * np.pi)) for v in vectors]

    def field(n):
        z, y, x = centres(n)
        return sum(a * np.cos(2 * np.pi * (v[0] * z + v[1] * y + v[2] * x) + p) for v, a, p in chosen)
    level = np.quantile(field(64), porosity)
    return lambda n: field(n) < level


def exact_shapes():
    sc = [(0.5, 0.5, 0.5)]
    bcc = [(0.25,) * 3, (0.75,) * 3]
    fcc = [(0.25, 0.25, 0.25), (0.25, 0.75, 0.75), (0.75, 0.25, 0.75), (0.75, 0.75, 0.25)]
    for name, places, radius in (("sc", sc, 0.4), ("sc", sc, 0.47), ("bcc", bcc, 0.3), ("bcc", bcc, 0.41), ("fcc", fcc, 0.26),
                                 ("fcc", fcc, 0.33)):
        for n in 16, 32:
            yield f"{name} of radius {radius}", n, spheres(places, radius)
    for seed in range(6):
        places = np.random.default_rng(seed).random((24 + 4 * seed, 3))
        yield f"overlapping spheres seed {seed}", 32, spheres(places, 0.2)
    for seed in range(6):
        yield f"random waves seed {seed}", 32, waves(seed, 0.3 + 0.05 * (seed % 3), 3)


def majority(pore, factor):
    n = [m // factor for m in pore.shape]
    blocks = pore[:n[0] * factor, :n[1] * factor, :n[2] * factor].reshape(n[0], factor, n[1], factor, n[2], factor)
    return 2 * blocks.sum(axis=(1, 3, 5), dtype=int) >= factor ** 3


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
        fine = tessera(binary, shape(4 * n), "--periodic")["k_lattice"] / 16
        row("shape", f"{name} on {n}^3", tessera(binary, shape(n), "--periodic", "--refine", "2"), fine)
    for name, pore in rocks(asked.rock):
        try:
            fine = tessera(binary, pore)["k_lattice"]
        except RuntimeError:
            continue
        for factor in 2, 4:
            try:
                layers = ["--buffer-layers", str(max(8 // factor, 2))]
                row("rock", f"{name} coarsened {factor} times",
                    tessera(binary, majority(pore, factor), *layers, "--refine", "2"), fine / factor ** 2)
            except RuntimeError as error:  # nothing leads through any more
                print(f"# {name} {factor}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
