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
from ._words import Voxels, length, words


class AxisResult:
    """What has been found along one axis of the array.

    k_lattice, k_m2, k_mD: the permeability in voxels squared and, with a voxel size, in SI units
    and millidarcy (else None).
    error: of the solver, relative, by its own estimate. voxel_interval_mD, voxel_interval_lattice:
    what the voxels leave open (with `refine`), lower and upper; else None.
    converged, stop_reason, solver, iterations, steps (None where the other one counts).
    velocity[..., i]: m/s along axis i; pressure: Pa, without the mean gradient; density: kg/m^3; in
    lattice units without a voxel size; 0 in solid; None with `fields=False`.
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
        self.voxels = found.get("voxels")
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
            raise ValueError("there are no fields: computed with fields=False")
        self._write(str(path))


class Permeability:
    """The answer of `permeability()`.

    Along one axis its attributes are those of its only AxisResult: k_mD, error, velocity, ...
    With axis="all", `tensor_lattice`, `tensor_m2` and `tensor_mD` are 3 x 3 arrays in the axes of
    the array: [i, j] is the flow along i by a force along j; `axes[i]` are the single results.
    """

    def __init__(self, results, fields, voxels):
        self._results = results
        found = results["permeability"]
        self.axes: dict[int, AxisResult] = {}
        for letter in reversed("xyz"):
            if found.get(letter) is not None and letter in voxels.axes:
                axis = voxels.number(letter)
                self.axes[axis] = AxisResult(axis, found[letter], fields.get(letter), voxels)
        self.porosity: float = results["porosity"]["total"]
        percolating = results["porosity"]["percolating"]
        self.percolating_porosity = {a: percolating[voxels.axes[a]] for a in self.axes}
        for name in ("tensor_lattice", "tensor_m2", "tensor_mD"):
            tensor = found.get(name)
            setattr(self, name, None if tensor is None else np.array(tensor)[::-1, ::-1])

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if len(self.axes) != 1:
            raise AttributeError(f"{name}: there are {len(self.axes)} axes: expected axes[i].{name}")
        return getattr(next(iter(self.axes.values())), name)

    def __repr__(self):
        return "Permeability({})".format(", ".join(
            f"axis {a.axis}: " + (f"{a.k_lattice:.6g} voxels^2" if a.k_mD is None else
                                  f"{a.k_mD:.6g} mD") + ("" if a.converged else f", {a.stop_reason}")
            for a in self.axes.values()))

    def to_dict(self) -> dict[str, Any]:
        """What the command writes as results.json (docs/formats.md); its x is the last axis."""
        return self._results

    def save(self, folder: str | os.PathLike, fields_format: str = "vtkhdf") -> None:
        """Writes results.json and the fields into a folder, as the command does; the fields as
        vtkhdf, xdmf, vti or npz."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for result in self.axes.values():
            if result.velocity is not None:
                suffix = "" if len(self.axes) == 1 else f"-{result._letter}"
                result.write_fields(folder / f"fields{suffix}.{fields_format}")
        text = json.dumps(self._results, indent=2)
        (folder / "results.json").write_text(text + "\n", encoding="utf-8")


def permeability(im: np.ndarray, voxel_size: float | str | None = None, axis: int | str = 0, *,
                 fields: bool = True, progress: bool | Callable[[dict], object] | None = None,
                 **options: Any) -> Permeability:
    """The permeability of a segmented image.

    im: 2 or 3 axes, any order in memory. Of a boolean array True is pore; of other arrays 0 is, or
    what pore="0,3-5", solid="1" or threshold="120" say (threshold: grey values below it are pore).
    voxel_size: edge of a voxel in metres, or "5um". axis: of the flow, counted as the array's axes
    are, or "all". fields=False leaves velocity and pressure away: k is there sooner.
    progress: True, False, None (in terminals and notebooks), or a function that gets a dict.
    Other options are those of `tessera permeability --help`: tolerance=1e-3, mirror=True,
    periodic=True, solver="minres", precision="double", refine=2, gpus=0, cores=4, ...

    Raises ValueError where the input is at fault, RuntimeError where the machine is; what is
    doubtful comes as a RuntimeWarning. Ctrl-C ends the computation and raises KeyboardInterrupt.
    """
    voxels = Voxels(im)
    if voxels.dimensions == 2:
        options.setdefault("lattice", "D2Q9")
    said = words(axis=voxels.letter(axis), voxel_size=length(voxel_size), no_fields=not fields,
                 **voxels.labels(options), **options)
    with _calls.errors_in_python(voxels), _calls.Progress(progress, "permeability") as show:
        results, warnings, found = _tessera.permeability(voxels.array, voxels.type, said, show)
    _calls.warn(warnings, voxels)
    return Permeability(json.loads(results), found, voxels)
