# SPDX-License-Identifier: MIT
"""Rows of the table that a validation ends with."""

import dataclasses


@dataclasses.dataclass
class Row:
    """What was computed, what it should be, and by how much it may be off."""
    quantity: str
    computed: float
    reference: float | None
    error: float | None
    bar: float | None  # None: only reported

    def __post_init__(self):
        # Not NumPy's numbers, which JSON does not take.
        for name in ("computed", "reference", "error"):
            value = getattr(self, name)
            setattr(self, name, None if value is None else float(value))

    @property
    def passed(self):
        return self.bar is None or self.error <= self.bar


def relative(quantity, computed, reference, bar=None):
    return Row(quantity, computed, reference, abs(computed / reference - 1), bar)


def absolute(quantity, computed, reference, bar=None, unit=1.0):
    """The difference, measured by `unit`."""
    return Row(quantity, computed, reference, abs(computed - reference) / unit, bar)


def deviation(quantity, error, bar=None):
    """An error of many values at once: a largest difference, a root mean square."""
    return Row(quantity, error, 0.0, error, bar)


def reported(quantity, computed):
    """What there is no reference for."""
    return Row(quantity, computed, None, None, None)


def order(quantity, sizes, errors, least=None):
    """The order of convergence between the coarsest and the finest size, which is to be at least
    `least`; its error is what is missing."""
    import math
    found = math.log(abs(errors[0] / errors[-1])) / math.log(sizes[-1] / sizes[0])
    bar = None if least is None else 2 - least
    return Row(quantity, found, 2.0, max(0.0, 2 - found), bar)


HEADER = ("case", "quantity", "computed", "reference", "error", "bar", "")


def cells(case, row):
    def said(value, form):
        return "" if value is None else format(value, form)
    verdict = "reported" if row.bar is None else "ok" if row.passed else "MISSED"
    return (case, row.quantity, said(row.computed, ".6g"), said(row.reference, ".6g"),
            said(row.error, ".2e"), said(row.bar, ".2g"), verdict)


def markdown(rows):
    """`rows` are pairs of a case's name and a Row."""
    lines = ["| " + " | ".join(HEADER) + " |", "|---|---|--:|--:|--:|--:|---|"]
    return "\n".join(lines + ["| " + " | ".join(cells(*row)) + " |" for row in rows]) + "\n"
