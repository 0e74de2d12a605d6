# SPDX-License-Identifier: MIT
"""Several flows through one image: with inertia, of phases that stand still, by diffusion."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _calls, _tessera
from ._settings import Voxels, fill, length, list_of_text, values_of_labels

Labels = Any  # a label, several, or a text such as "1,3-4"


def _first(*quantities):
    """The first that is known."""
    return next((f"{value:.6g} {unit}" for value, unit in quantities if value is not None), "unknown")


class Forchheimer:
    """The answer of `forchheimer()`.

    Attributes:
        k_lattice: Darcy's permeability, of creeping flow, in voxels squared.
        k_mD: the same in millidarcy; None without a voxel size.
        beta_lattice: of Forchheimer's law, per voxel; None if fewer than two flows have inertia.
        beta_per_m: the same per metre.
        flows: a list of dicts, one for each Reynolds number: reynolds, k_lattice, k_mD (apparent),
            mach, steps, state, ... (docs/formats.md).
        complete: whether all have been computed and are steady.
    """

    def __init__(self, results: dict[str, Any], complete: bool) -> None:
        self._results = results
        law = results["forchheimer"] or {}
        self.k_lattice: float = results["k_lattice"]
        self.k_mD: float | None = results["k_mD"]
        self.beta_lattice: float | None = law.get("beta_lattice")
        self.beta_per_m: float | None = law.get("beta_per_m")
        self.flows: list[dict[str, Any]] = results["flows"]
        self.complete = complete

    def __repr__(self):
        k = _first((self.k_mD, "mD"), (self.k_lattice, "voxels^2"))
        beta = _first((self.beta_per_m, "per m"), (self.beta_lattice, "per voxel"))
        return f"Forchheimer(k {k}, beta {beta}, {len(self.flows)} flows)"

    def to_dict(self) -> dict[str, Any]:
        """What the command writes as results.json."""
        return self._results


class Phases:
    """The answer of `phases()`.

    `answer["water"]`: the relative permeability of a phase, along the only axis or as a dict of axes.

    Attributes:
        table: a list of dicts, one for each phase and axis: phase ("all": the pores together), axis,
            saturation, k_lattice, k_mD, k_relative, error_estimate, state, ... (docs/formats.md).
        complete: whether all have an answer.
    """

    def __init__(self, results: dict[str, Any], voxels: Voxels, complete: bool) -> None:
        self._results = results
        self.table: list[dict[str, Any]] = [dict(row, axis=voxels.number(row["axis"]))
                                            for row in results["phases"]]
        self.complete = complete

    def __repr__(self):
        return "Phases({})".format(", ".join(
            f"{row['phase']} axis {row['axis']}: " +
            ("no answer" if row["k_relative"] is None else f"{row['k_relative']:.4g}")
            for row in self.table if row["phase"] != "all"))

    def __getitem__(self, phase: str) -> float | None | dict[int, float | None]:
        found = {row["axis"]: row["k_relative"] for row in self.table if row["phase"] == phase}
        if not found:
            raise KeyError(phase)
        return found if len(found) > 1 else next(iter(found.values()))

    def to_dict(self) -> dict[str, Any]:
        """What the command writes as results.json."""
        return self._results


class Diffusion:
    """The answer of `diffusion()`.

    Attributes:
        effective: conductivity of the image along the axis, in units of the conductivities; several
            axes: a dict of them, as for all that follows.
        formation_factor: the largest conductivity of a voxel over it.
        tortuosity: the mean conductivity of all voxels over it: porosity over `effective` where
            pores conduct 1.
        tensor: of a periodic image along all axes, as an array; else None.
        concentration: on each voxel, 1 on the face before the image and 0 on that behind it; 0 where
            nothing conducts or leads through; None with `fields=False`.
        flux: components along the axes of the array, of a mean gradient of 1: their mean is
            `effective`.
        table: a list of dicts, one for each axis: error_estimate, iterations, percolating_fraction,
            ... (docs/formats.md).
        complete: whether all have converged.
    """

    def __init__(self, results: dict[str, Any], voxels: Voxels, complete: bool, fields: dict[str, Any]) -> None:
        self._results = results
        self.table: list[dict[str, Any]] = [dict(row, axis=voxels.number(letter))
                                            for letter, row in results["diffusion"].items()]
        self.complete = complete
        def of_axes(found):
            return found if len(found) > 1 else next(iter(found.values()), None)

        self.effective, self.formation_factor, self.tortuosity = (
            of_axes({row["axis"]: row[name] for row in self.table})
            for name in ("effective", "formation_factor", "tortuosity"))
        self.concentration: np.ndarray | dict[int, np.ndarray] | None = of_axes(
            {voxels.number(letter): concentration for letter, (concentration, _) in fields.items()})
        self.flux: np.ndarray | dict[int, np.ndarray] | None = of_axes(
            {voxels.number(letter): voxels.vectors(flux) for letter, (_, flux) in fields.items()})
        columns = {row["axis"]: row["column"] for row in self.table}
        self.tensor: np.ndarray | None = None
        if len(columns) == 3 and all(column is not None for column in columns.values()):
            self.tensor = np.array([columns[axis][::-1] for axis in range(3)]).T

    def __repr__(self):
        return "Diffusion({})".format(", ".join(
            f"axis {row['axis']}: {row['effective']:.6g}" for row in self.table))

    def to_dict(self) -> dict[str, Any]:
        """What the command writes as results.json."""
        return self._results


def diffusion(im: np.ndarray, conductivity: Mapping[Any, float] | None = None,
              axis: int | str = 0, *, voxel_size: float | str | Sequence[float | str] | None = None,
              progress: bool | Callable[[dict], object] | None = None, **options: Any) -> Diffusion:
    """Effective diffusivity, or conductivity, of an image; formation factor and tortuosity.

    Args:
        im: as for `permeability()`, of 3 axes; and so all that does not stand here.
        conductivity: of each label, {0: 1, 1: 0.05, 2: 0}; without it what is pore conducts 1.
            With `values_conduct=True` the values of the array are conductivities.
        voxel_size: also a sequence of three, along the axes of the array: voxels need not be cubes.
        options: see `tessera diffusion --help`; refine=2: what the voxels leave open, too, as
            `table[...]["voxels"]`.
    """
    voxels = Voxels(im, least=3)
    conducts = {"conductivity": values_of_labels(conductivity)} if conductivity else voxels.labels(options)
    if options.get("values_conduct"):
        conducts = {}
    if isinstance(voxel_size, (list, tuple, np.ndarray)):
        voxel_size = ",".join(length(edge) for edge in reversed(voxel_size))
    said = fill(_tessera.DiffusionOptions(), {
        "axis": voxels.letter(axis), "voxel_size": length(voxel_size), **conducts, **options})
    _calls.expect_no_case_that_waits()
    with _calls.Progress(progress, "axes") as show:
        results, warnings, complete, fields = _tessera.diffusion(*voxels.arguments, said, show)
    _calls.warn(warnings)
    return Diffusion(json.loads(results), voxels, complete, fields)


def forchheimer(im: np.ndarray, reynolds: float | Sequence[float],
                voxel_size: float | str | None = None, axis: int = 0, *,
                progress: bool | Callable[[dict], object] | None = None,
                **options: Any) -> Forchheimer:
    """Apparent permeabilities at Reynolds numbers, each flow from the last one, and Forchheimer's
    law through them.

    Args:
        im: as for `permeability()`, of 3 axes; and so all that does not stand here.
        reynolds: of the mean pore velocity and the hydraulic diameter; one or several.
        options: see `tessera forchheimer --help`.
    """
    voxels = Voxels(im, least=3)
    said = fill(_tessera.ForchheimerOptions(), {
        "reynolds": np.atleast_1d(reynolds).tolist(), "axis": voxels.letter(axis),
        "voxel_size": length(voxel_size), **voxels.labels(options), **options})
    _calls.expect_no_case_that_waits()
    with _calls.Progress(progress, "flows") as show:
        results, warnings, complete = _tessera.forchheimer(*voxels.arguments, said, show)
    _calls.warn(warnings)
    return Forchheimer(json.loads(results), complete)


def phases(im: np.ndarray, phases: Mapping[str, Labels], solid: Labels,  # noqa: F811
           voxel_size: float | str | None = None, axis: int | str = 0, *,
           progress: bool | Callable[[dict], object] | None = None, **options: Any) -> Phases:
    """The permeability of each of several fluids that share the pores and stand still against each
    other.

    Args:
        im: labels; as for `permeability()`, of 3 axes; and so all that does not stand here.
        phases: their labels, {"water": 0, "oil": [1, 3]}.
        solid: its labels.
        options: see `tessera phases --help`.
    """
    voxels = Voxels(im, least=3)
    said = fill(_tessera.PhasesOptions(), {
        "phase": [f"{name}={list_of_text(labels)}" for name, labels in phases.items()], "solid": solid,
        "axis": voxels.letter(axis), "voxel_size": length(voxel_size), **options})
    _calls.expect_no_case_that_waits()
    with _calls.Progress(progress, "flows") as show:
        results, warnings, complete = _tessera.phases(*voxels.arguments, said, show)
    _calls.warn(warnings)
    return Phases(json.loads(results), voxels, complete)
