# SPDX-License-Identifier: MIT
"""Spectral differences: flows with exact solutions, and the errors of another implementation on the same meshes.

The other one is a prototype in NumPy (quadrilaterals and hexahedra, any degree, curved, mixed), written before this
one by other people from the same papers; its errors stand in tables/spectral_differences.csv.
"""

import csv
import math
import pathlib
import subprocess
import sys

import numpy

from case_file import CaseFile
from rows import Row, relative, reported

TABLE = pathlib.Path(__file__).parent / "tables" / "spectral_differences.csv"
# What rounding leaves of seven printed digits.
BAR = 1e-5

# Sod's tube at t = 0.2, gamma = 1.4: from the exact Riemann problem (E. F. Toro, Riemann Solvers, 4.3).
PRESSURE, VELOCITY = 0.303130178051, 0.927452620049
BEHIND, BEFORE = 0.426319428178, 0.265573711705
HEAD, TAIL, SHOCK = -1.183215956620, -0.070272812561, 1.752155732030


def case(name, **constants):
    return CaseFile(name, kind="spectral").constants(**constants)


def rate(quantity, sizes, errors, expected):
    """The order between the two finest meshes, which is to be `expected` at least."""
    found = math.log(errors[-2] / errors[-1]) / math.log(sizes[-1] / sizes[-2])
    return Row(quantity, found, expected, max(0.0, expected - found), 0.0)


def error_of(run):
    return run.results["errors"]["density"]["l2"]


def tabled(session):
    """Rows of the table, and the orders that follow from them."""
    with open(TABLE, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    errors = {}
    for row in rows:
        name, p, n, steps = row["case"], int(row["p"]), int(row["cells"]), int(row["steps"])
        if session.quick and row["quick"] != "1":
            continue
        file = case({"straight": "vortex", "wavy": "vortex", "mixed": "wavy-vortex"}.get(name, "density-wave"),
                    N=n, steps=steps)
        if name != "mixed":
            file.constants(p=p)
        if name == "wavy":
            bend = "+ 0.5*sin(2*pi*x/10)*sin(2*pi*y/10)"
            file.set("mesh", bend=[f"x {bend}", f"y {bend}"], map_degree=3)
        if name == "wave, bent":
            file.constants(bent=1)
        error = error_of(session.run(file, f"spectral-{name}-{p}-{n}".replace(", ", "-")))
        yield relative(f"{name}, p = {p}, {n} cells: L2 of density", error, float(row["error"]), BAR)
        errors.setdefault((name, p), []).append((n, error))
    for (name, p), found in errors.items():
        if len(found) > 1:
            # Half an order above p; in space 3 and 6 cells are too few to show all of it.
            yield rate(f"{name}, p = {p}: order", *zip(*found), p + (0.4 if "wave" in name else 0.5))
    curves = [(f"{name}, p = {p}", *zip(*found)) for (name, p), found in errors.items() if len(found) > 1]
    session.plot("spectral-differences", "elements along an axis", "L2 error of the density", curves,
                 logarithmic=True)


def sod_density(x):
    """At t = 0.2, from x = 0.5."""
    s = (x - 0.5) / 0.2
    sound = math.sqrt(1.4)
    fan = (2 / 2.4 + 0.4 / (2.4 * sound) * (-s))**5
    return numpy.select([s < HEAD, s < TAIL, s < VELOCITY, s < SHOCK], [1.0, fan, BEHIND, BEFORE], 0.125)


def sod(session):
    """Degree 0 is Godunov's method: L1 errors of the density over the exact ones fall with the cells' size."""
    import h5py
    sizes = (50, 100) if session.quick else (100, 200, 400)
    errors = []
    for n in sizes:
        run = session.run(case("sod", N=n), f"spectral-sod-{n}")
        with h5py.File(run.folder / "fields.vtkhdf") as file:
            x = file["VTKHDF/Points"][:, 0].reshape(n, 4).mean(axis=1)
            density = file["VTKHDF/PointData/density"][:].reshape(n, 4).mean(axis=1)
        order = numpy.argsort(x)
        errors.append(float(numpy.abs(density[order] - sod_density(x[order])).mean()))
        yield reported(f"Sod, p = 0, {n} cells: L1 of density", errors[-1])
    # The contact spreads over the root of the cells' size, and is what remains.
    yield rate("Sod, p = 0: order", sizes, errors, 0.5)


def bump(session):
    """Entropy that a flow without shocks should not make."""
    make = CaseFile("bump", file="make_mesh.py", kind="spectral").path
    sizes = (6, 12) if session.quick else (6, 12, 24)
    for p in (2,) if session.quick else (2, 3):
        errors = []
        for n in sizes:
            folder = session.out / f"bump-{n}"
            folder.mkdir(parents=True, exist_ok=True)
            subprocess.run([sys.executable, str(make), str(n)], cwd=folder, check=True)
            file = case("bump").set("mesh", degree=p, file=str(folder.resolve() / "bump.msh"))
            run = session.run(file, f"spectral-bump-{p}-{n}")
            errors.append(run.results["final"]["entropy_error"])
            yield reported(f"bump, p = {p}, {n} x {n // 3} cells: entropy error", errors[-1])
        # Over all sizes: the bump is as narrow as the coarsest elements, and errors fall unevenly at first.
        yield rate(f"bump, p = {p}: order", (sizes[0], sizes[-1]), (errors[0], errors[-1]), p + 0.5)


def validate(session):
    yield from tabled(session)
    yield from sod(session)
    yield from bump(session)
