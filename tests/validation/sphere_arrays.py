# SPDX-License-Identifier: MIT
"""Cubic arrays of spheres with walls where their surfaces are, against exact permeabilities."""

from case_file import CaseFile
from numerics import published
from rows import order, relative

FILES = {"SC": "case.toml", "BCC": "bcc.toml", "FCC": "fcc.toml"}


def permeability(session, array, c, n):
    """Over the square of the cell's edge."""
    case = CaseFile("sphere-array", FILES[array]).constants(N=n, c=c)
    run = session.run(case, f"sphere-array-{array}-{c}-{n}")
    assert run.steady, run.folder
    superficial = run.field("velocity")[..., 0].mean()  # 0 in the solid
    return run.results["flow"]["viscosity"] * superficial / 1e-6 / n**2


def validate(session):
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
