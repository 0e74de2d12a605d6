# SPDX-License-Identifier: MIT
"""Cubic arrays of spheres with walls where their surfaces are, against exact permeabilities."""

import numpy

from case_file import CaseFile
from numerics import published
from plain_spheres import velocity_between_spheres
from rows import deviation, order, relative

FILES = {"SC": "case.toml", "BCC": "bcc.toml", "FCC": "fcc.toml"}


def permeability(session, array, c, n):
    """Over the square of the cell's edge."""
    case = CaseFile("sphere-array", FILES[array]).constants(N=n, c=c)
    run = session.run(case, f"sphere-array-{array}-{c}-{n}")
    assert run.steady, run.folder
    superficial = run.field("velocity")[..., 0].mean()  # 0 in the solid
    return run.results["flow"]["viscosity"] * superficial / 1e-6 / n**2


def difference_from_plain_method(session, n=12, c=0.343, steps=100):
    """Of two spheres a cell, in all velocities, by the largest one."""
    case = (CaseFile("sphere-array", FILES["BCC"]).constants(N=n, c=c).set("stop", steps=steps)
            .without("stop.steady"))
    velocity = session.run(case, "sphere-array-plain").field("velocity")
    expected = velocity_between_spheres(
        n, [(n / 4,) * 3, (3 * n / 4,) * 3], n * (3 * c / (8 * numpy.pi))**(1 / 3),
        force=1e-6, relaxation_time=0.6, magic=3 / 16, steps=steps).transpose(2, 1, 0, 3)
    return abs(velocity - expected).max() / abs(expected).max()


def validate(session):
    # Fields are written in single precision.
    yield deviation("difference from a plain implementation",
                    difference_from_plain_method(session), 1e-7)
    table = published("sphere_arrays")
    exact = {(array, float(c)): float(k)
             for array, c, k in zip(table["lattice"], table["c"], table["k_over_L2"])}
    curves = []
    for array in FILES:
        for c in (0.216,) if session.quick else (0.125, 0.216, 0.343):
            sizes = (16,) if session.quick else (16, 32, 64) if c == 0.216 else (16, 32)
            reference = exact[array, c]
            found = [permeability(session, array, c, n) for n in sizes]
            for n, k in zip(sizes, found):
                bar = 0.06 if session.quick else None if n == 16 else 0.01
                yield relative(f"{array}, c = {c}: k/L^2, {n}^3", k, reference, bar)
            errors = [abs(k / reference - 1) for k in found]
            if not session.quick:
                yield order(f"{array}, c = {c}: order, 16 to {sizes[-1]}", sizes, errors)
                curves.append((f"{array}, c = {c}", sizes, errors))
    if curves:
        session.plot("sphere-arrays", "voxels along the cell", "error of the permeability", curves,
                     logarithmic=True)
