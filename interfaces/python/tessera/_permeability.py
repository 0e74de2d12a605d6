# SPDX-License-Identifier: MIT
"""The permeability of an image."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _calls, _tessera
from ._tables import numbers, rows_of, whole
from ._settings import Voxels, fill, length, values_of_labels


class AxisResult:
    """What has been found along one axis of the array.

    Attributes:
        axis: its number.
        k_lattice: the permeability in voxels squared.
        k_m2: the permeability in square metres; None without a voxel size.
        k_mD: the permeability in millidarcy; None without a voxel size.
        error: the relative error of k_lattice that the solver leaves, by its own estimate.
        voxels: what the voxels leave open, with `refine` (docs/formats.md); else None.
        slip: what slip of a gas adds, with `slip=True` or `gas`, as results.json has it; else None.
        segmentation: what the segmentation leaves open, with a range of thresholds; else None.
        converged: whether that error is below the tolerance.
        stop_reason: why the solver stopped.
        solver: "minres" or "steps".
        steps: how many steps were taken; None where the solver is "minres".
        iterations: how many iterations were taken; None where the solver is "steps".
        velocity: [..., i] in m/s along axis i; as pressure and density it is in lattice units without
            a voxel size, 0 in solid, and None with `fields=False`.
        pressure: in Pa, without the mean gradient.
        density: in kg/m^3.
    """

    def __init__(self, axis, found, fields, voxels):
        self.axis: int = axis
        self._letter = voxels.axes[axis]
        self.k_lattice: float = found["k_lattice"]
        self.k_m2: float | None = found.get("k_m2")
        self.k_mD: float | None = found.get("k_mD")  # pylint: disable=invalid-name
        self.error: float | None = found["error_estimate"]
        self.converged: bool = found["converged"]
        self.stop_reason: str = found["stop_reason"]
        self.solver: str = found["solver"]["name"]
        self.steps: int | None = found["steps"] if self.solver == "steps" else None
        self.iterations: int | None = None if self.solver == "steps" else found["steps"]
        self.voxels: dict[str, float] | None = found.get("voxels")
        self.segmentation: dict[str, float | list[float]] | None = found.get("segmentation")
        self.slip: dict[str, Any] | None = found.get("slip")
        self.velocity: np.ndarray | None = None
        self.pressure: np.ndarray | None = None
        self.density: np.ndarray | None = None
        self._write = None
        if fields:
            self.velocity = voxels.on_image(voxels.vectors(fields["velocity"]))
            self.pressure = voxels.on_image(fields["pressure"])
            self.density = voxels.on_image(fields["density"])
            self._write = fields["write"]

    def write_fields(self, path: str | os.PathLike) -> None:
        """Writes the fields in the format of the name: .vtkhdf, .xdmf, .vti or .npz."""
        if self._write is None:
            raise ValueError("there are no fields to write: computed with fields=False, or in another process")
        _calls.expect_no_case_that_waits()
        self._write(str(path))

    def __getstate__(self):
        return {**vars(self), "_write": None}  # the library's own copy, in its units, stays with it


class Permeability:
    """The answer of `permeability()`.

    Along one axis it has the attributes of its only AxisResult as well: k_mD, error, velocity, ...

    Attributes:
        axes: the AxisResult of each axis by its number.
        porosity: the share of pore voxels in the image.
        percolating_porosity: for each axis, the share of voxels in pores that lead through along it.
        tensor_lattice: 3 x 3 with axis="all", in the axes of the array: [i, j] is the flow along i by
            a force along j; else None.
        tensor_m2: that tensor in square metres.
        tensor_mD: that tensor in millidarcy.
        convergence: how k came about, a dict of columns: step (or iteration), axis, k_lattice, k_mD,
            error_estimate, ... (docs/formats.md); nan where there is no number.
    """

    def __init__(self, results, convergence, fields, voxels):
        self._results = results
        self._convergence = convergence
        found = results["permeability"]
        self.axes: dict[int, AxisResult] = {}
        for letter in reversed("xyz"):
            if found.get(letter) is not None and letter in voxels.axes:
                axis = voxels.number(letter)
                self.axes[axis] = AxisResult(axis, found[letter], fields.get(letter), voxels)
        self.porosity: float = results["porosity"]["total"]
        percolating = results["porosity"]["percolating"]
        self.percolating_porosity: dict[int, float] = {a: percolating[voxels.axes[a]] for a in self.axes}
        def tensor(name):
            return None if found.get(name) is None else np.array(found[name])[::-1, ::-1]
        self.tensor_lattice: np.ndarray | None = tensor("tensor_lattice")
        self.tensor_m2: np.ndarray | None = tensor("tensor_m2")
        self.tensor_mD: np.ndarray | None = tensor("tensor_mD")  # pylint: disable=invalid-name
        rows = rows_of(convergence)
        self.convergence: dict[str, np.ndarray] = {
            "step": whole(rows, "step"),
            "axis": np.array([voxels.number(row["axis"]) for row in rows], dtype=int),
            **{name: numbers(rows, name) for name in
               ("k_lattice", "k_mD", "error_estimate", "force_balance", "mass", "k_linear")}}

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if len(self.axes) != 1:
            raise AttributeError(f"{name}: there are {len(self.axes)} axes: expected axes[i].{name}")
        return getattr(next(iter(self.axes.values())), name)

    def __dir__(self):
        only = vars(next(iter(self.axes.values()))) if len(self.axes) == 1 else ()
        return sorted({*super().__dir__(), *(name for name in only if not name.startswith("_"))})

    def __repr__(self):
        return "Permeability({})".format(", ".join(
            f"axis {a.axis}: " + (f"{a.k_lattice:.6g} voxels^2" if a.k_mD is None else
                                  f"{a.k_mD:.6g} mD") + ("" if a.converged else f", {a.stop_reason}")
            for a in self.axes.values()))

    def to_dict(self) -> dict[str, Any]:
        """What the command writes as results.json (docs/formats.md); its x is the last axis."""
        return self._results

    def save(self, folder: str | os.PathLike, fields_format: str = "vtkhdf") -> None:
        """Writes results.json, convergence.csv and the fields into a folder, as the command does; the
        fields as vtkhdf, xdmf, vti or npz."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "results.json", json.dumps(self._results, indent=2) + "\n")
        _write(folder / "convergence.csv", self._convergence)
        for result in self.axes.values():
            if result.velocity is not None:
                suffix = "" if len(self.axes) == 1 else f"-{result._letter}"
                result.write_fields(folder / f"fields{suffix}.{fields_format}")


def _write(path, text):
    """The file is complete or not there."""
    part = path.with_name(f".tessera-{path.name}-{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def permeability(im: np.ndarray, voxel_size: float | str | None = None, axis: int | str = 0, *,
                 fields: bool = True, progress: bool | Callable[[dict], object] | None = None,
                 **options: Any) -> Permeability:
    """The permeability of a segmented image.

    Args:
        im: 2 or 3 axes, any order in memory. Of a boolean array True is pore; of other arrays 0 is,
            or what pore="0,3-5", solid="1" or threshold="120" say (threshold: grey values below it
            are pore).
        voxel_size: edge of a voxel in metres, or "5um".
        axis: of the flow, counted as the array's axes are, or "all".
        fields: False leaves velocity and pressure away: k is there sooner.
        progress: True, False, None (in terminals and notebooks), or a function that gets a dict.
        options: those of `tessera permeability --help`: tolerance=1e-3, mirror=True, periodic=True,
            solver="minres", precision="double", refine=2, gpus=0, cores=4, ...
            grey={2: "5mD"}: labels of porous voxels and their permeability; or grey_values="mD": the
            array's values are permeabilities, 0 is solid and infinity a pore.

    Raises:
        ValueError: the input is at fault.
        RuntimeError: the machine is.
        KeyboardInterrupt: Ctrl-C has ended the computation.

    Warns:
        RuntimeWarning: what is doubtful.
    """
    voxels = Voxels(im)
    if "no_fields" in options:
        raise ValueError("no_fields: expected fields=False")
    if voxels.dimensions == 2:
        options.setdefault("lattice", "D2Q9")
    said = fill(_tessera.PermeabilityOptions(), {
        "axis": voxels.letter(axis), "voxel_size": length(voxel_size), "fields": bool(fields),
        **voxels.labels(options), **options, "grey": values_of_labels(options.get("grey"))})
    _calls.expect_no_case_that_waits()
    with _calls.Progress(progress, "permeability") as show:
        results, convergence, warnings, found = _tessera.permeability(*voxels.arguments, said, show)
    _calls.warn(warnings)
    return Permeability(json.loads(results), convergence, found, voxels)
