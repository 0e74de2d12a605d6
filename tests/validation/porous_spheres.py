# SPDX-License-Identifier: MIT
"""Simple cubic arrays of porous spheres, of grey voxels, against Brinkman's drag in Hasimoto's array.

A porous sphere of radius a and permeability k has the share Omega of a solid one's drag (Brinkman, Appl. Sci. Res. A 1 (1949) 27);
the array adds the first term that its neighbours make (Hasimoto, J. Fluid Mech. 5 (1959) 317). Terms of the order of the solid
fraction are left out.
"""

import os
import pathlib

import numpy as np

from images import SC, permeability, spheres
from rows import relative

RADIUS = 0.1  # of the cell's edge: a solid fraction of 0.4 %
# Of a sphere. Below a voxel squared the layer in which the velocity decays is thinner than a voxel.
PERMEABILITIES = (1, 4, 16, 64)


def share_of_drag(radius, k):
    b = radius / np.sqrt(k)
    t = 1 - np.tanh(b) / b
    return 2 * b**2 * t / (2 * b**2 + 3 * t)


def of_array(edge, radius, k):
    """The permeability of a cell, in voxels squared."""
    of_drag = radius * share_of_drag(radius, k)
    return edge**3 / (6 * np.pi * of_drag) * (1 - 1.760119 * np.cbrt(4 * np.pi / 3) * of_drag / edge)


def validate(session):
    binary = str(pathlib.Path(os.environ.get("TESSERA", "build/release/bin/tessera")).resolve())
    where = [] if session.gpus is None else ["--gpus", str(session.gpus)]
    for n in (32,) if session.quick else (32, 64):
        pore = spheres(SC, RADIUS)(n)
        radius = np.cbrt(3 / (4 * np.pi) * (~pore).sum())  # of what the voxels hold
        for k in PERMEABILITIES[::2] if session.quick else PERMEABILITIES:
            # Hardly anything resists here, for which the estimate is too low (docs/validation.md).
            found = permeability(binary, pore, "--periodic", "--grey", f"1={k}", "--tolerance", "1e-6", *where)
            assert found["converged"], (n, k)
            yield relative(f"porous spheres, k = {k}: k, {n}^3", found["k_lattice"], of_array(n, radius, k), 0.005)
