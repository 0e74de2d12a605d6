# SPDX-License-Identifier: MIT
"""Flow rates of a round pipe and of rectangular ducts between two pressures."""

import math

from case_file import CaseFile
from exact import duct_flow_rate
from rows import relative


def flow_rate(run):
    """In the middle of x, in voxels^2 times the unit of speed. The mean of two layers: beside
    pressures the flow rate alternates from one to the next."""
    rates = run.field("velocity")[..., 0].sum(axis=(0, 1))
    middle = len(rates) // 2
    return rates[middle - 1:middle + 1].mean()


def pipe(session):
    case = CaseFile("pipe")
    bar = 0.005
    if session.quick:
        case.set("units", voxel_size="0.1 mm", time_step="100us")
        bar = 0.02
    run = session.run(case, "pipe")
    voxel = 1e-4 if session.quick else 5e-5
    # dp R^4 pi / (8 rho nu L), as the case file says.
    exact = math.pi * 14.4 * 1e-3**4 / (8 * 900 * 1e-5 * 4e-3)
    yield relative("round pipe: flow rate", flow_rate(run) * voxel**2, exact, bar)
    profile = run.table("profile")
    yield relative("round pipe: speed on the axis", max(u for u in profile["ux"] if u == u), 0.1)
    radius = 1e-3
    y = [at - profile["y"][-1] / 2 for at in profile["y"]]
    session.plot("pipe", "distance from the axis / m", "speed / (m/s)",
                 [("computed", y, profile["ux"])],
                 [("Hagen, Poiseuille", y[::2],
                   [0.1 * max(0, 1 - (at / radius)**2) for at in y[::2]])])


def duct(session, name, height, width, bar):
    case = CaseFile("duct").constants(A=height, B=width, L=height)
    run = session.run(case, f"duct-{name}")
    # The drop of the case file is that at which a square's largest speed is 0.02.
    gradient = 0.02 / (0.0736713532815 * height**2)
    exact = gradient * duct_flow_rate(height, width)
    yield relative(f"{name} duct, {height} x {width}: flow rate", flow_rate(run), exact, bar)


def validate(session):
    yield from pipe(session)
    a = 16 if session.quick else 32
    bar = 0.015 if session.quick else 0.005
    yield from duct(session, "square", a, a, bar)
    yield from duct(session, "rectangular", a, 2 * a, bar)
