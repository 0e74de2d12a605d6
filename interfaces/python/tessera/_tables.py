# SPDX-License-Identifier: MIT
"""Tables of comma-separated values as arrays."""

import csv
import io

import numpy as np


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def numbers(rows, name):
    """A column; nan where there is nothing."""
    return np.array([float(row[name] or "nan") for row in rows])


def whole(rows, name):
    return np.array([int(row[name]) for row in rows], dtype=int)
