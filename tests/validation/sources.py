# SPDX-License-Identifier: MIT
"""Flows that programs for several devices are checked with: they must not depend on the cut.

A wake that begins to oscillate and a perturbation of fluid at rest (GPU implementation of fluid
simulation with the lattice Boltzmann method, master's thesis, Geneva, 2018); a cubic cavity at
tau = 0.6152 after 1024 steps (Riesinger et al., Computation 5 (2017) 48). The cubic cavity with
LBGK and MRT of Obrecht et al., Comput. Math. Appl. 61 (2011) 3628, is in cubic_cavity.py.
"""

import numpy

from case_file import CaseFile
from rows import deviation, reported


def runs_of_cuts(session, case, name, tiles):
    """The same case cut into different numbers of tiles; the first, and the largest difference."""
    runs = [session.run(case.set("run", tiles=count), f"{name}-{count}") for count in tiles]
    fields = [[run.field(quantity) for quantity in ("velocity", "density")] for run in runs]
    difference = max(numpy.abs(a - b).max() for other in fields[1:]
                     for a, b in zip(fields[0], other))
    for run in runs[1:]:
        assert run.results["forces"] == runs[0].results["forces"], run.folder
    return runs[0], deviation(f"{name}: largest difference of {tiles} tiles", difference, 0.0)


def wake(session):
    case = CaseFile("cylinder-wake")
    if session.quick:
        case.constants(D=12, U=0.08)
    run, same = runs_of_cuts(session, case, "wake", (1, 5))
    yield same
    table = run.table("drag")
    late = table["cy"][len(table["cy"]) * 3 // 4:]
    # It oscillates: lift to both sides.
    yield deviation("wake: lift to the lesser side, missing to 0.1",
                    max(0, 0.1 - min(max(late), -min(late))), 0.0)
    yield reported("wake: Strouhal number", run.results["strouhal"]["shedding"])
    session.plot("wake", "step", "coefficient", [("drag", table["step"], table["cx"]),
                                                 ("lift", table["step"], table["cy"])])


def perturbation(session, file, name, axes):
    case = CaseFile("central-perturbation", file)
    if session.quick:
        case.constants(N=32).set("stop", steps=400)
    run, same = runs_of_cuts(session, case, name, (1, 7))
    yield same
    begin, end = (run.field("density", step).astype(float).mean() for step in (0, None))
    # Fields are written in single precision.
    yield deviation(f"{name}: mass lost, relative", abs(end / begin - 1), 1e-8)
    density = run.field("density", 100).astype(float)
    mirrored = max(numpy.abs(density - numpy.flip(density, axis)).max() for axis in axes)
    yield deviation(f"{name}: difference from its mirror image", mirrored / density.std(), 1e-4)


def cavity(session):
    case = CaseFile("cavity-1024-steps").constants(N=20 if session.quick else 64)
    tiles = (1, 8) if session.quick else (1, 8, 27)
    yield runs_of_cuts(session, case, "cavity, 1024 steps", tiles)[1]


def validate(session):
    yield from wake(session)
    yield from perturbation(session, "case.toml", "perturbation, square", (0, 1))
    yield from perturbation(session, "cube.toml", "perturbation, cube", (0, 1, 2))
    yield from cavity(session)
