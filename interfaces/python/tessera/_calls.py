# SPDX-License-Identifier: MIT
"""What all calls of the library have around them: progress, warnings, errors."""

import contextlib
import math
import re
import sys
import threading
import warnings

_this_thread = threading.local()


@contextlib.contextmanager
def case_waits():
    """While a case waits for this thread, which must not wait for the case: calls take turns."""
    waits = _this_thread.waits = ["for this thread"]
    try:
        yield
    finally:
        waits.clear()  # in whichever thread that may be


def expect_no_case_that_waits():
    if getattr(_this_thread, "waits", None):
        raise RuntimeError("a case waits for this thread: expected calls after its look, or after "
                           "the loop over its steps (or their close())")


def named(line, names):
    """With names in place of files that arrays and a dict have become."""
    for file, name in names.items():
        line = re.sub(re.escape(file) + r"(:\d+)?", name, line)
    return line


@contextlib.contextmanager
def named_errors(names):
    """Errors with names in place of files that arrays and a dict have become."""
    try:
        yield
    except ValueError as error:
        raise ValueError(named(str(error), names)) from None
    except RuntimeError as error:
        raise RuntimeError(named(str(error), names)) from None


def warn(lines):
    """To the caller of who calls this."""
    for line in lines:
        warnings.warn(line, RuntimeWarning, stacklevel=3)


def _in_notebook():
    return "ipykernel" in sys.modules


class Progress:
    """A bar of tqdm, in a terminal or a notebook, or a function of one's own: it gets a dict for
    each stage. Shows nothing where tqdm is not installed."""

    def __init__(self, wanted, of):
        self.call = None
        self.bar = None
        if callable(wanted):
            self.call = wanted
            return
        if wanted is None:
            wanted = sys.stderr is not None and (sys.stderr.isatty() or _in_notebook())
        if not wanted:
            return
        try:
            from tqdm.auto import tqdm  # pylint: disable=import-outside-toplevel
        except ImportError:
            return
        self.bar = tqdm(desc=of, leave=False, bar_format="{desc} {bar} {elapsed}{postfix}", total=1.0)

    def __enter__(self):
        return self._show if self.bar is not None else self.call

    def __exit__(self, error, *_):
        if self.bar is not None:
            if error is None:
                self.bar.n = self.bar.total  # else a notebook leaves it there in red
            self.bar.close()

    def _show(self, stage):
        if stage["of"]:
            done = stage["done"] / stage["of"]
            text = f"{stage['done']} of {stage['of']}"
        else:
            unit = "iteration" if stage["iterations"] else "step"
            error, tolerance = stage["error"], stage["tolerance"]
            text = f"{unit} {stage['done']}"
            if stage["k_lattice"]:
                text += f", k = {stage['k_lattice']:.5g} voxels^2, error {error:.1e}"
            # An error falls by about the same factor each time.
            known = 0 < error < 1 and 0 < tolerance < 1
            done = math.log(error) / math.log(tolerance) if known else 0
        self.bar.n = min(max(done, self.bar.n), 1.0)
        self.bar.set_postfix_str(text, refresh=False)
        self.bar.refresh()
