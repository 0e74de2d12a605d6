# SPDX-License-Identifier: MIT
"""Boxes of another program's lattice, computed by Tessera."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _calls, _tessera

Cells = tuple[tuple[int, int, int], tuple[int, int, int]]


class Box:
    """A box of a CoProcessor; arrays hold the whole of it, its margin of one cell included."""

    def __init__(self, coprocessor: CoProcessor, shape: tuple[int, ...]) -> None:
        self._owner = coprocessor
        self.shape = shape  #: cells along x, y (and z)
        size = (*shape, 1)[:3]
        self._number: int = coprocessor._handle.add_box(size)

    @property
    def outer_envelope(self) -> list[Cells]:
        """The margin, as (begin, size) of blocks without a cell in common."""
        return self._owner._handle.outer_envelope(self._number)

    @property
    def inner_envelope(self) -> list[Cells]:
        """The outermost cells that are computed, as (begin, size) of blocks without a cell in common."""
        return self._owner._handle.inner_envelope(self._number)

    def send(self, populations: npt.NDArray[np.floating], cells: str | Sequence[Cells] = "all",
             axes: str | None = None) -> None:
        """Takes cells of an array: "all", which is needed first, "envelope", which is the outer one,
        or blocks. `axes` names the axes of the array in their order, "zyxq" or "qzyx"; without it
        they are "xyzq". Any strides, float32 or float64; when it returns, the array may be changed.
        """
        handle = self._owner._handle
        chosen = self._chosen(cells, handle.whole, handle.outer_envelope)
        handle.send(self._number, self._as_xyzq(populations, axes), chosen)

    def collide_and_stream(self) -> None:
        """Starts one step; returns at once."""
        self._owner._handle.collide_and_stream(self._number)

    def receive(self, populations: npt.NDArray[np.floating], cells: str | Sequence[Cells] = "all",
                axes: str | None = None) -> None:
        """Waits for the step and writes cells to an array: "all" that are computed, "envelope",
        which is the inner one, or blocks."""
        handle = self._owner._handle
        chosen = self._chosen(cells, handle.computed, handle.inner_envelope)
        array = self._as_xyzq(populations, axes)
        if not array.flags.writeable:
            raise ValueError("an array to receive into: expected one that may be written")
        handle.receive(self._number, array, chosen)

    def _chosen(self, cells: str | Sequence[Cells], everything: Any, envelope: Any) -> list[Cells]:
        if isinstance(cells, str):
            if cells not in ("all", "envelope"):
                raise ValueError(f'cells "{cells}": expected "all", "envelope" or blocks')
            return everything(self._number) if cells == "all" else envelope(self._number)
        return [(tuple(begin), tuple(size)) for begin, size in cells]

    def _as_xyzq(self, populations: npt.NDArray[np.floating], axes: str | None) -> npt.NDArray[Any]:
        """A view with these axes; nothing is copied."""
        plane = len(self.shape) == 2
        expected = "xyq" if plane else "xyzq"
        axes = axes or expected
        array = populations
        if not isinstance(array, np.ndarray) or array.dtype not in (np.float32, np.float64):
            raise ValueError("populations: expected an array of float32 or float64")
        if sorted(axes) != sorted(expected):
            raise ValueError(f'axes "{axes}": expected the letters {expected} in some order')
        if array.ndim != len(expected):
            raise ValueError(f"an array of {array.ndim} axes: expected {len(expected)}")
        array = array.transpose([axes.index(letter) for letter in expected])
        wanted = (*self.shape, self._owner.velocities)
        if array.shape != wanted:
            raise ValueError(f"an array of {array.shape} along {', '.join(expected)}: expected "
                             f"{wanted}")
        if not array.dtype.isnative or not array.flags.aligned:
            raise ValueError("populations: expected numbers as this machine has them")
        return array[:, :, np.newaxis] if plane else array


class CoProcessor:
    """Computes boxes of another lattice Boltzmann program's lattice, on GPUs or on cores.

    `velocities`: "walberla" (which lbmpy has, too) or "palabos" for the order of `lattice`, or an
    array of them, (Q, 3) or (9, 2). `shifted`: populations are stored less their weight. `state`:
    what an array holds between two steps, populations "after" the collision (streaming, then
    collision, is a step) or "before" it (collision, then streaming). The collision has a
    `relaxation_rate` 1/tau, and with `odd_rate` two (TRT); `force` per mass, after Guo;
    `equilibrium` "second-order" or "linear". It is computed in `precision` "double" or "single", on
    `gpus`, or without GPUs on so many `cores`.

        cp = tessera.CoProcessor(relaxation_rate=1.6)
        box = cp.add_box((66, 66, 66))        # 64^3 cells and a margin of one all around
        box.send(f, axes="zyxq")              # all of it
        for step in range(steps):
            ...                               # fill the margin of f
            box.send(f, "envelope", axes="zyxq")
            box.collide_and_stream()
            ...                               # one's own cells, meanwhile
            box.receive(f, "envelope", axes="zyxq")
    """

    def __init__(self, velocities: str | npt.ArrayLike = "walberla", *, relaxation_rate: float,
                 odd_rate: float | None = None, lattice: str = "D3Q19", shifted: bool = False,
                 state: Literal["after", "before"] = "after",
                 force: Sequence[float] = (0.0, 0.0, 0.0),
                 equilibrium: Literal["second-order", "linear"] = "second-order",
                 precision: Literal["double", "single"] = "double", gpus: int | None = None,
                 cores: int | None = None) -> None:
        _calls.expect_no_case_that_waits()
        options = _tessera.CoProcessorOptions()
        if isinstance(velocities, str):
            options.order = velocities
            options.lattice = lattice
        else:
            table = np.atleast_2d(np.asarray(velocities, dtype=int))
            if table.ndim != 2 or table.shape[1] not in (2, 3):
                raise ValueError(f"velocities of shape {table.shape}: expected (Q, 3) or (9, 2)")
            if table.shape[1] == 2:
                table = np.pad(table, ((0, 0), (0, 1)))
            options.velocities = table.tolist()
        options.shifted = shifted
        options.before_collision = _one_of(state, "state", "after", "before") == "before"
        options.relaxation_rate = relaxation_rate
        options.odd_rate = odd_rate or 0.0
        options.force = [*map(float, force), 0.0, 0.0, 0.0][:3]
        options.linear = _one_of(equilibrium, "equilibrium", "second-order", "linear") == "linear"
        options.double_precision = _one_of(precision, "precision", "double", "single") == "double"
        options.gpus = -1 if gpus is None else gpus
        options.cores = -1 if cores is None else cores
        self._open: _tessera.CoProcessor | None = _tessera.CoProcessor(options)
        self.velocities = len(options.velocities) or int(lattice.partition("Q")[2])

    @property
    def _handle(self) -> _tessera.CoProcessor:
        if self._open is None:
            raise ValueError("a co-processor that is closed: expected an open one")
        return self._open

    def close(self) -> None:
        """Gives memory and workers back; before that, other functions of Tessera that need the
        workers raise RuntimeError. `with` does it, too."""
        self._open = None

    def __enter__(self) -> CoProcessor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @staticmethod
    def gpus() -> int:
        """How many GPUs there are."""
        return _tessera.CoProcessor.gpus()

    @property
    def workers(self) -> str:
        """What computes, in words."""
        return self._handle.workers()

    def add_box(self, shape: Sequence[int]) -> Box:
        """A box of so many cells along x, y (and z), its margin of one cell included."""
        if len(shape) not in (2, 3):
            raise ValueError(f"a box of {len(shape)} dimensions: expected 2 or 3")
        return Box(self, tuple(int(cells) for cells in shape))

    def wait(self) -> None:
        """Until all steps that have been started are done."""
        self._handle.wait()


def _one_of(word: str, what: str, *known: str) -> str:
    if word not in known:
        raise ValueError(f'{what} "{word}": expected {" or ".join(known)}')
    return word
