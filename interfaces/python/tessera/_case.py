# SPDX-License-Identifier: MIT
"""The flow of a case: geometry, fluid, boundary conditions, outputs."""

from __future__ import annotations

import atexit
import json
import operator
import os
import pathlib
import queue
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from . import _calls, _tessera
from ._tables import numbers, rows_of


class State:
    """A flow at one step.

    Attributes:
        step: since the beginning.
        time: in seconds, or in steps where the case is in lattice units.
        velocity: [z, y, x, i] along x, y, z for i = 0, 1, 2, as the case has its axes; 0 in solid.
        pressure: [z, y, x].
        density: [z, y, x].
        forces: of each [[output.force]] by its name three numbers in lattice units, when it was
            measured last.
    """

    def __init__(self, step, time, fields, forces):
        self.step: int = step
        self.time: float = time
        self.velocity: np.ndarray = fields["velocity"]
        self.pressure: np.ndarray = fields["pressure"]
        self.density: np.ndarray = fields["density"]
        self.forces: dict[str, np.ndarray] = {name: np.array(force) for name, force in forces.items()}

    def __repr__(self):
        return f"State(step {self.step}, time {self.time:g})"


class CaseResult:
    """The answer of `run()`.

    Attributes:
        steps: how many steps the flow has taken.
        stop_reason: why it took no more.
        velocity: as State has it, of the last step; None, as pressure and density are, if the flow has
            diverged.
        pressure: as State has it, of the last step.
        density: as State has it, of the last step.
        tables: what probes, lines and forces have written: a dict of columns for each name.
    """

    def __init__(self, results, fields, folder):
        self._results = results
        self.steps: int = results["stop"]["steps"]
        self.stop_reason: str = results["stop"]["reason"]
        fields = fields or {}
        self.velocity: np.ndarray | None = fields.get("velocity")
        self.pressure: np.ndarray | None = fields.get("pressure")
        self.density: np.ndarray | None = fields.get("density")
        self.tables: dict[str, dict[str, np.ndarray]] = {path.stem: _table(path) for path in sorted(folder.glob("*.csv"))}

    def __repr__(self):
        return f"CaseResult({self.steps} steps, {self.stop_reason}; tables: {', '.join(self.tables) or 'none'})"

    def to_dict(self) -> dict[str, Any]:
        """What stands in results.json."""
        return self._results


def _table(path):
    rows = rows_of(path.read_text(encoding="utf-8"))
    return {name: numbers(rows, name) for name in (rows[0] if rows else [])}


class _Case:
    """What the user gives, as files and functions."""

    def __init__(self, case, scratch):
        self.functions = []
        self.names = {}  # what stands for files that the user has not given as such
        if isinstance(case, (str, os.PathLike)):
            self.file, self.folder = os.fspath(case), ""
            return
        if not isinstance(case, Mapping):
            raise ValueError(f"a case of {type(case).__name__}: expected a file or a dict")
        import tomli_w  # pylint: disable=import-outside-toplevel
        self.scratch = pathlib.Path(scratch)
        self.file, self.folder = str(self.scratch / "case.toml"), os.getcwd()
        self.names = {str(self.scratch / "image.npy"): "the image", self.file: "the case"}
        text = tomli_w.dumps(self._plain(case, ""))
        pathlib.Path(self.file).write_text(text, encoding="utf-8")

    def _plain(self, value, key):
        """As TOML has it."""
        if callable(value):
            arguments = "t" if key == "factor" else "x, y, z"
            self.functions.append(value)
            return f"caller_{len(self.functions) - 1}({arguments})"
        if isinstance(value, Mapping):
            plain = {k: self._plain(v, k) for k, v in value.items() if v is not None}
            if isinstance(value.get("image"), np.ndarray) and value["image"].dtype == bool \
                    and not {"pore", "solid-labels", "threshold"} & value.keys():
                plain["pore"] = 1
            return plain
        if isinstance(value, np.ndarray) and key == "image":
            np.save(self.scratch / "image.npy", value[np.newaxis] if value.ndim == 2 else value)
            return str(self.scratch / "image.npy")
        if isinstance(value, np.ndarray):
            return value.tolist()
        if isinstance(value, (list, tuple)):
            return [self._plain(v, key) for v in value]
        if isinstance(value, np.generic):
            return value.item()
        return os.fspath(value) if isinstance(value, os.PathLike) else value


def _steps_between(every):
    try:
        steps = operator.index(every)
    except TypeError:
        steps = 0
    if steps < 1:
        raise ValueError(f"every={every!r}: expected 1 or more steps")
    return steps


def _overrides(values):
    return [f"{name}={value}" for name, value in (values or {}).items()]


def _run(case, out, settings, resume, look_every, look, progress):
    with tempfile.TemporaryDirectory(prefix="tessera-") as scratch:
        given = _Case(case, scratch)
        folder = pathlib.Path(out) if out is not None else pathlib.Path(scratch) / "out"
        _calls.expect_no_case_that_waits()
        with _calls.named_errors(given.names), _calls.Progress(progress, "run") as show:
            results, warnings, fields = _tessera.run_case(
                given.file, given.folder, _overrides(settings), str(folder), resume,
                given.functions, look_every, look, show)
        return CaseResult(json.loads(results), fields, folder), [_calls.named(line, given.names) for line in warnings]


def run(case: str | os.PathLike | Mapping[str, Any], out: str | os.PathLike | None = None, *,
        settings: Mapping[str, Any] | None = None, resume: bool = False,
        look: Callable[[State], object] | None = None, every: int = 0,
        progress: bool | Callable[[dict], object] | None = None) -> CaseResult:
    """Runs a case to its end, as `tessera run` does. Raises as `permeability()` does.

    Args:
        case: a file, or a dict with what would stand in it (docs/case-files.md). In a dict a formula
            may be a function: of (x, y, z), or of t where it is a `factor`; `image` may be an array,
            of booleans with True for pore, whose last axis is x, before it y, and z if there are 3.
        out: folder for results.json, tables and fields; without one only the answer has them.
        settings: {"N": 64, "model.collision": "mrt"}, values in place of the case's.
        resume: from the checkpoint in `out`, if there is one.
        look: called with a State each `every` steps and at the last one; False ends the run.
        every: steps between two looks.
        progress: True, False, None (in terminals and notebooks), or a function that gets a dict.
    """
    def looked(*state):
        with _calls.case_waits():
            wanted = look(State(*state))
        return wanted is None or bool(wanted)
    between = 0 if look is None else _steps_between(every)
    answer, warnings = _run(case, out, settings, resume, between, looked, progress)
    _calls.warn(warnings)
    return answer


def steps(case: str | os.PathLike | Mapping[str, Any], every: int,
          out: str | os.PathLike | None = None, *,
          settings: Mapping[str, Any] | None = None) -> Iterator[State]:
    """Runs a case under one's own loop:

        for state in tessera.steps("cavity.toml", every=100):
            if state.velocity.max() > 0.1:
                break

    Yields a State each `every` steps and at the last one; the flow waits meanwhile. It ends with the
    case, or with the loop.
    """
    return _states(case, _steps_between(every), out, settings)


class _LoopHasEnded(Exception):
    """Between two looks, by Ctrl-C or the end of the program."""


def _states(case, every, out, settings):
    _calls.expect_no_case_that_waits()
    states, answers = queue.Queue(), queue.Queue()
    ended = threading.Event()

    def look(*state):
        states.put(State(*state))
        return answers.get()

    def show(_):
        if ended.is_set():
            raise _LoopHasEnded

    def compute():
        try:
            _, warnings = _run(case, out, settings, False, every, look, show)
        except BaseException as error:  # pylint: disable=broad-exception-caught
            states.put(error)
        else:
            states.put(warnings)

    thread = threading.Thread(target=compute, name="tessera.steps", daemon=True)

    def end():
        ended.set()
        answers.put(False)
        thread.join()
    thread.start()
    try:
        while isinstance(state := states.get(), State):
            atexit.register(end)  # of a loop that is still open then
            try:
                with _calls.case_waits():
                    yield state
            finally:
                atexit.unregister(end)
            answers.put(True)
        if isinstance(state, BaseException):
            raise state
        _calls.warn(state)
    except KeyboardInterrupt:
        ended.set()  # it may be long until the next look
        raise
    finally:
        answers.put(False)
        thread.join()
