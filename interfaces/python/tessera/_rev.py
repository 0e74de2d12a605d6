# SPDX-License-Identifier: MIT
"""Permeabilities of many sub-volumes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _calls, _tessera
from ._tables import numbers, rows_of, whole
from ._settings import Voxels, fill, length, values_of_labels


OF_PERMEABILITIES = ("porosity", "percolating_porosity", "k_lattice", "k_mD")
OF_CONDUCTIVITIES = ("conducting_fraction", "percolating_fraction", "effective", "formation_factor")


class SubVolumes:
    """The answer of `rev()`.

    Attributes:
        table: a dict of columns, one value for each sub-volume: axis, edge, lower (the corner, in the
            order of the array's axes), porosity, percolating_porosity, k_lattice, k_mD, error,
            iterations, state; of conductivities conducting_fraction, percolating_fraction,
            effective, formation_factor instead of porosities and k; nan where there is no number.
            pandas.DataFrame makes a frame of it, but for `lower`.
        statistics: a list of dicts, one for each axis and edge (docs/formats.md).
    """

    def __init__(self, results, text, voxels):
        self._results = results
        rows = rows_of(text)
        self.table: dict[str, np.ndarray] = {
            "axis": np.array([voxels.number(row["axis"]) for row in rows], dtype=int),
            "edge": whole(rows, "edge"),
            "lower": np.array([[int(row[a]) for a in voxels.axes] for row in rows], dtype=int),
            **{name: numbers(rows, name) for name in
               (OF_CONDUCTIVITIES if results["rev"]["of"] == "conductivity" else OF_PERMEABILITIES)},
            "error": numbers(rows, "error_estimate"),
            "iterations": whole(rows, "iterations"),
            "state": np.array([row["state"] for row in rows]),
        }
        self.statistics: list[dict[str, Any]] = [dict(s, axis=voxels.number(s["axis"])) for s in
                           results["rev"]["statistics"]]

    def __repr__(self):
        edges = ", ".join(str(edge) for edge in np.unique(self.table["edge"]))
        return f"SubVolumes({len(self)} cubes of edges {edges})"

    def __len__(self) -> int:
        return len(self.table["edge"])

    def to_dict(self) -> dict[str, Any]:
        """What the command writes as results.json."""
        return self._results


def rev(im: np.ndarray, edges: int | Sequence[int], voxel_size: float | str | None = None,
        axis: int | str = 0, *, samples: int = 20, seed: int = 1, diffusion: bool = False,
        conductivity: Mapping[Any, float] | None = None, grey: Mapping[Any, Any] | None = None,
        progress: bool | Callable[[dict], object] | None = None, **options: Any) -> SubVolumes:
    """Permeabilities, or effective conductivities, of many cubes out of an image: how large must one
    be to stand for the rock?

    Args:
        im: as for `permeability()`, of 3 axes; and so all that does not stand here.
        edges: of the cubes, in voxels.
        samples: cubes of each edge.
        seed: another one chooses other cubes.
        diffusion: True: effective conductivities of what is pore, as `diffusion()` has them.
        conductivity: the same of labels, {label: value}.
        grey: as for `permeability()`, and so `grey_values`.
        options: see `tessera rev --help`.
    """
    voxels = Voxels(im, least=3)
    said = fill(_tessera.RevOptions(), {
        "edges": np.atleast_1d(edges).tolist(), "samples": samples, "seed": seed, "axis": voxels.letter(axis),
        "voxel_size": length(voxel_size), "diffusion": diffusion, "conductivity": values_of_labels(conductivity),
        "grey": values_of_labels(grey), **({} if conductivity else voxels.labels(options)), **options})
    _calls.expect_no_case_that_waits()
    with _calls.Progress(progress, "sub-volumes") as show:
        results, warnings, text = _tessera.sub_volumes(*voxels.arguments, said, show)
    _calls.warn(warnings)
    return SubVolumes(json.loads(results), text, voxels)
