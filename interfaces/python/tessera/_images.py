# SPDX-License-Identifier: MIT
"""Images: making them, and what is in them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _calls, _tessera
from ._words import PROGRAM_AXES, Voxels, words


def _letter(name, axis):
    if 0 <= axis < 3:
        return PROGRAM_AXES[axis]
    raise ValueError(f"{name}={axis}: expected 0 to 2")


def generate(kind: str, /, **options: Any) -> np.ndarray:
    """An image as an array of booleans, True is pore.

    Args:
        kind: "sphere-array", "spheres", "plates", "rectangular-duct", "circular-duct" or
            "triangular-duct".
        options: see `tessera generate KIND --help`. size=64 or (z, y, x); axes by their numbers in
            the array.
    """
    for name in ("axis", "normal"):
        if isinstance(options.get(name), (int, np.integer)):
            options[name] = _letter(name, options[name])
    if isinstance(options.get("size"), (tuple, list)):
        options["size"] = list(reversed(options["size"]))
    with _calls.errors_in_python():
        return _tessera.generate([kind, *words(**options)]).view(bool)


def info(im: np.ndarray, **options: Any) -> dict[str, Any]:
    """What is in an image: porosity, hydraulic_diameter (voxels), components and, for each axis of
    the array, the porosity of what leads through; of pores that touch by faces and edges, as flow
    sees them, and by faces only. `k_takes`: memory_bytes and seconds of a permeability along an axis,
    on this machine, by an order of magnitude.

    Args:
        im: as for `permeability()`.
        options: pore, solid, threshold.
    """
    voxels = Voxels(im)
    with _calls.errors_in_python(voxels):
        found = json.loads(_tessera.info(voxels.array, voxels.type,
                                         words(**voxels.labels(options), **options)))
    for links in ("faces_and_edges", "faces"):
        percolating = found[links]["percolating_porosity"]
        found[links]["percolating_porosity"] = [percolating[a] for a in voxels.axes]
    found["shape"] = found["shape"][3 - voxels.dimensions:]
    return found
