# SPDX-License-Identifier: MIT
"""Pore images, and their permeabilities by the command.

An image is an array of bool, True where there is pore, with axes z, y, x.
"""

import gzip
import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np


def permeability(binary, pore, *options):
    """permeability.x of results.json."""
    return answer(binary, "permeability", pore, *options)


def conductivity(binary, pore, *options):
    """diffusion.x of results.json."""
    return answer(binary, "diffusion", pore, *options)


def answer(binary, command, pore, *options):
    """What a command finds along x; its part of results.json has its name."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "pore.raw").write_bytes((~pore).astype(np.uint8).tobytes())
        shape = ",".join(str(n) for n in reversed(pore.shape))
        run = subprocess.run([binary, command, "pore.raw", "--shape", shape, "--quiet", "--no-fields",
                              *options, "--out", "out"], cwd=path, check=False, capture_output=True,
                             encoding="utf-8")
        if run.returncode not in (0, 3):
            raise RuntimeError(run.stderr)
        return json.loads((path / "out/results.json").read_text())[command]["x"]


def centres(n):
    """Of voxels in the unit cube: z, y, x."""
    at = (np.arange(n) + 0.5) / n
    return np.meshgrid(at, at, at, indexing="ij", sparse=True)


def spheres(places, radius):
    """Pore outside periodic spheres in the unit cube, on n voxels an edge."""
    def shape(n):
        pore = np.ones((n, n, n), bool)
        for place in places:
            square = sum((np.abs((axis - c + 0.5) % 1 - 0.5)) ** 2 for axis, c in zip(centres(n), place))
            pore &= square > radius ** 2
        return pore
    return shape


SC = [(0.5, 0.5, 0.5)]
BCC = [(0.25,) * 3, (0.75,) * 3]
FCC = [(0.25, 0.25, 0.25), (0.25, 0.75, 0.75), (0.75, 0.25, 0.75), (0.75, 0.75, 0.25)]


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


def majority(pore, factor):
    """Voxels `factor` times as wide, pore where at least half of them is."""
    n = [m // factor for m in pore.shape]
    blocks = pore[:n[0] * factor, :n[1] * factor, :n[2] * factor].reshape(n[0], factor, n[1], factor, n[2], factor)
    return 2 * blocks.sum(axis=(1, 3, 5), dtype=int) >= factor ** 3


def rock(name):
    """A gzipped cube of uint8, 0 = pore, of $TESSERA_DATA or beside the checkout; None if it is not there."""
    beside = pathlib.Path(__file__).resolve().parents[2].parent / "shared" / "data"
    file = pathlib.Path(os.environ.get("TESSERA_DATA", beside)) / name
    if not file.exists():
        return None
    values = np.frombuffer(gzip.decompress(file.read_bytes()), np.uint8)
    edge = round(len(values) ** (1 / 3))
    return values.reshape(edge, edge, edge) == 0


def turned(section, middle=(0.5, 0.5)):
    """Straight or not, along x: pore where section(x, distance from the middle) holds, in the unit cube."""
    def shape(n):
        z, y, x = centres(n)
        return section(x, np.hypot(z - middle[0], y - middle[1]))
    return shape


def level_set(field, level):
    """Pore where field(x, y, z), of angles over the unit cube, is below the level: P surfaces, gyroids."""
    def shape(n):
        z, y, x = (2 * np.pi * axis for axis in centres(n))
        return field(x, y, z) < level
    return shape
