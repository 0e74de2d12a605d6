# SPDX-License-Identifier: MIT
"""A cylinder in a channel: 2D-1 and 2D-2 of Schaefer, Turek, Notes on Numerical Fluid Mechanics 52
(1996) 547.

References of 2D-1 are those of Nabh, thesis, Heidelberg (1998), spectral; of 2D-2 the middle of the
intervals.
"""

from case_file import CaseFile
from rows import relative


def steady(session):
    case = CaseFile("cylinder")
    bars = (0.01, 0.05, 0.01)
    if session.quick:
        case.set("units", voxel_size="10 mm", lattice_speed=0.04)
        bars = (0.03, 0.3, 0.04)
    run = session.run(case, "cylinder")
    drag, lift, _ = run.results["forces"]["drag"]["coefficients"]
    drop = run.table("front")["pressure"][-1] - run.table("back")["pressure"][-1]
    yield relative("2D-1: drag", drag, 5.57953523384, bars[0])
    yield relative("2D-1: lift", lift, 0.010618948146, bars[1])
    yield relative("2D-1: pressure, front to back", drop, 0.11752016697, bars[2])
    table = run.table("drag")
    session.plot("cylinder-drag", "time / s", "drag coefficient",
                 [("2D-1", table["time"], table["cx"])],
                 [("published", table["time"][-1:], [5.57953523384])])


def unsteady(session):
    run = session.run(CaseFile("cylinder-unsteady"), "cylinder-unsteady")
    table = run.table("drag")

    def largest(coefficient, begin, end):
        return max(c for t, c in zip(table["time"], table[coefficient]) if begin <= t < end)
    yield relative("2D-2: largest drag", largest("cx", 7, 10), 3.23, 0.01)
    yield relative("2D-2: largest lift", largest("cy", 7, 10), 1.0, 0.05)
    yield relative("2D-2: Strouhal number", run.results["strouhal"]["shedding"], 0.3, 0.01)
    yield relative("2D-2: largest drag, last second", largest("cx", 8, 10), largest("cx", 7, 8))
    session.plot("cylinder-unsteady", "time / s", "coefficient",
                 [("drag", table["time"], table["cx"]), ("lift", table["time"], table["cy"])])


def validate(session):
    yield from steady(session)
    if not session.quick:
        yield from unsteady(session)
