# SPDX-License-Identifier: MIT
"""Images: making them, and what is in them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _calls, _tessera
from ._settings import PROGRAM_AXES, Voxels, fill, list_of_text


def _letter(name, axis):
    if 0 <= axis < 3:
        return PROGRAM_AXES[axis]
    raise ValueError(f"{name}={axis}: expected 0 to 2")


def _words(options):
    """The options of a kind of image as the words of its command."""
    found = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        option = ("-" if len(name) == 1 else "--") + name.replace("_", "-")
        found += [option] if value is True else [option, list_of_text(value)]
    return found


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
    _calls.expect_no_case_that_waits()
    return _tessera.generate([kind, *_words(options)]).view(bool)


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
    said = fill(_tessera.Labels(), {**voxels.labels(options), **options})
    _calls.expect_no_case_that_waits()
    found = json.loads(_tessera.info(*voxels.arguments, said))
    for links in ("faces_and_edges", "faces"):
        percolating = found[links]["percolating_porosity"]
        found[links]["percolating_porosity"] = [percolating[a] for a in voxels.axes]
    found["shape"] = found["shape"][3 - voxels.dimensions:]
    return found
