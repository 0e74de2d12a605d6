# SPDX-License-Identifier: MIT
"""Interpolation, tables of published numbers, extrema."""

import csv
import pathlib

import numpy


def published(name):
    """tables/NAME.csv as lists of text by column; lines that begin with # say the source. Columns
    may be of different lengths."""
    path = pathlib.Path(__file__).parent / "tables" / f"{name}.csv"
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {key: [row[key] for row in rows if row[key]] for key in rows[0]}


def numbers(column):
    return numpy.array([float(value) for value in column])


def interpolated(at, places, values):
    """By the cubic through the four places around each; places ascend."""
    at = numpy.atleast_1d(at)
    result = numpy.zeros(len(at))
    for n, x in enumerate(at):
        first = min(max(numpy.searchsorted(places, x) - 2, 0), len(places) - 4)
        near = numpy.arange(first, first + 4)
        for i in near:
            others = places[near[near != i]]
            result[n] += values[i] * numpy.prod((x - others) / (places[i] - others))
    return result


def between_walls(values, lower, upper):
    """Places in units of the width, and values: those at the voxels' centres and at both walls."""
    n = len(values)
    places = numpy.concatenate([[0], (numpy.arange(n) + 0.5) / n, [1]])
    return places, numpy.concatenate([[lower], values, [upper]])


def middle(values, axis):
    """What is half-way along the axis."""
    n = values.shape[axis]
    pair = [(n - 1) // 2, n // 2]
    return numpy.take(values, pair, axis).mean(axis)


def minimum_place(values):
    """Where a field of two dimensions is least, by a paraboloid through the values around the
    lowest; in units of the grid, as (second index, first index)."""
    j, i = numpy.unravel_index(numpy.argmin(values), values.shape)
    dy, dx = (d.ravel() for d in numpy.mgrid[-2:3, -2:3])
    terms = numpy.stack([numpy.ones(25), dx, dy, dx * dx, dx * dy, dy * dy], axis=1)
    _, bx, by, bxx, bxy, byy = numpy.linalg.lstsq(
        terms, values[j - 2:j + 3, i - 2:i + 3].ravel(), rcond=None)[0]
    shift = numpy.linalg.solve([[2 * bxx, bxy], [bxy, 2 * byy]], [-bx, -by])
    return i + shift[0], j + shift[1]


def rms(values):
    return float(numpy.sqrt(numpy.mean(numpy.square(values))))
