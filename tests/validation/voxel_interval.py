#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often the interval of `tessera permeability --refine 2`, or `tessera diffusion --refine 2`, covers the truth, and how wide it is.

Truth is the formula for straight tubes and annuli, k of the same shape on voxels a quarter as wide (spheres, tubes of changing width,
minimal surfaces, level sets of random waves), or of the
fine image that a coarse one has been made of by majority (crops of a rock: a raw file of uint8, 0 = pore).

    tests/validation/voxel_interval.py build/release/bin/tessera [--conductivity] [--rock FILE EDGE]... > table.csv
"""

import argparse
import pathlib
import sys

import numpy as np

from images import BCC, FCC, SC, conductivity, level_set, majority, permeability, spheres, turned, waves


class Permeability:
    """Of a box that wraps around; of a rock that is sealed."""
    wraps = ["--periodic"]
    value, lower, upper = "k_lattice", "lower_lattice", "upper_lattice"
    power = 2  #: of the edge of a voxel

    @staticmethod
    def along_x(binary, pore, *options):
        return permeability(binary, pore, "--tolerance", "1e-3", "--solver", "minres", *options)

    @staticmethod
    def buffers(factor):
        return ["--buffer-layers", str(max(8 // factor, 2))]

    @staticmethod
    def of_tube(k, area):  # both over the edge of the image
        return k


class Conductivity:
    """Between two ends."""
    wraps = []
    value, lower, upper = "effective", "lower", "upper"
    power = 0

    @staticmethod
    def along_x(binary, pore, *options):
        return conductivity(binary, pore, "--tolerance", "1e-5", *options)

    @staticmethod
    def buffers(factor):
        return []

    @staticmethod
    def of_tube(k, area):
        return area


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


def straight_tubes():
    """Each layer is the next one's, so that the errors of their cross-sections do not cancel: name, edge, shape, k in edges^2, area."""
    for n, radius in ((16, 2.3), (16, 3.3), (16, 4.6), (24, 6.7), (24, 9.2), (40, 16.1)):
        for off in 0, 0.27, 0.5:
            middle = 0.5 + off / n
            r = radius / n
            yield f"tube of radius {radius} {off} off", n, turned(lambda x, d, r=r: (d < r) & (x > -1), (middle, middle)), np.pi * r ** 4 / 8, np.pi * r ** 2
    for n, inner, outer in ((24, 3.4, 9.2), (24, 6.3, 9.7), (40, 4.4, 17.3)):
        for off in 0, 0.27:
            middle = 0.5 + off / n
            a, b = inner / n, outer / n
            k = np.pi / 8 * (b ** 4 - a ** 4 - (b ** 2 - a ** 2) ** 2 / np.log(b / a))
            yield (f"annulus {inner} to {outer} {off} off", n,
                   turned(lambda x, d, a=a, b=b: (d > a) & (d < b) & (x > -1), (middle, middle)), k, np.pi * (b ** 2 - a ** 2))


def bent_shapes():
    """Walls with curvatures of both signs, of one, and saddles."""
    for mean, swing in ((0.25, 0.05), (0.3, 0.12), (0.36, 0.06)):
        yield f"tube of radius {mean} +- {swing}", turned(lambda x, d, m=mean, s=swing: d < m + s * np.cos(2 * np.pi * x), (0.51, 0.49))
    for level in (-0.8, 0.0, 0.5):
        yield f"P surface at {level}", level_set(lambda x, y, z: np.cos(x) + np.cos(y) + np.cos(z), level)
        yield f"gyroid at {level}", level_set(
            lambda x, y, z: np.sin(x) * np.cos(y) + np.sin(y) * np.cos(z) + np.sin(z) * np.cos(x), level)


def rocks(files, crop=96):
    for file, edge in files:
        edge = int(edge)
        pore = np.fromfile(file, np.uint8).reshape(edge, edge, edge) == 0
        steps = max(edge // crop, 1)
        chosen = [(i, j, k) for i in range(steps) for j in range(steps) for k in range(steps)]
        for i, j, k in chosen[::max(len(chosen) // 12, 1)][:12]:
            part = pore[i * crop:(i + 1) * crop, j * crop:(j + 1) * crop, k * crop:(k + 1) * crop]
            yield f"{pathlib.Path(file).name} {i}{j}{k}", part


def row(of, kind, name, found, truth):
    value, lower, upper = found[of.value], found["voxels"][of.lower], found["voxels"][of.upper]
    print(f"{kind},{name},{value:.6g},{truth:.6g},{value / truth:.4f},{lower / truth:.4f},{upper / truth:.4f},"
          f"{int(lower <= truth <= upper)}", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("tessera")
    options.add_argument("--rock", nargs=2, action="append", default=[])
    options.add_argument("--conductivity", action="store_true")
    asked = options.parse_args()
    of = Conductivity if asked.conductivity else Permeability
    binary = str(pathlib.Path(asked.tessera).resolve())
    print("kind,name,value,truth,value over truth,lower over truth,upper over truth,covered")
    for name, n, shape in exact_shapes():
        fine = of.along_x(binary, shape(4 * n), *of.wraps)[of.value] / 4 ** of.power
        row(of, "shape", f"{name} on {n}^3", of.along_x(binary, shape(n), *of.wraps, "--refine", "2"), fine)
    for name, n, shape, k, area in straight_tubes():
        pore = shape(n)[:, :, :4]
        row(of, "tube", name, of.along_x(binary, pore, *of.wraps, "--refine", "2"), of.of_tube(k, area) * n ** of.power)
    for name, shape in bent_shapes():
        for n in 16, 24:
            fine = of.along_x(binary, shape(4 * n), *of.wraps)[of.value] / 4 ** of.power
            row(of, "bent", f"{name} on {n}^3", of.along_x(binary, shape(n), *of.wraps, "--refine", "2"), fine)
    for name, pore in rocks(asked.rock):
        try:
            fine = of.along_x(binary, pore)[of.value]
        except RuntimeError:
            continue
        for factor in 2, 4:
            try:
                row(of, "rock", f"{name} coarsened {factor} times",
                    of.along_x(binary, majority(pore, factor), *of.buffers(factor), "--refine", "2"), fine / factor ** of.power)
            except RuntimeError as error:  # nothing leads through any more
                print(f"# {name} {factor}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
