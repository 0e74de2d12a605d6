# SPDX-License-Identifier: MIT
"""Plane flows: Couette, half of Poiseuille's under free slip, Womersley, Taylor-Couette."""

import math

import numpy

from case_file import CaseFile
from exact import womersley
from rows import deviation, order


def largest(errors, scale):
    return float(numpy.abs(errors).max() / scale)


def profile(run, step=None):
    return run.field("velocity", step)[:, 0, 0].astype(float)


def centres(n):
    return numpy.arange(n) + 0.5


def couette(session, n):
    run = session.run(CaseFile("couette").constants(N=n), "couette")
    exact = 0.05 * centres(n) / n
    yield deviation(f"Couette, {n}: profile over the wall's speed",
                    largest(profile(run) - exact, 0.05), 1e-5)


def slip(session, n):
    run = session.run(CaseFile("slip-channel").constants(N=n), "slip-channel")
    y = centres(n) / n
    yield deviation(f"slip, {n}: profile over its largest", largest(
        profile(run) - 0.02 * y * (2 - y), 0.02), 1e-5)


def oscillating(session, sizes):
    """The amplitudes of the case file: alpha = 4, viscosity 0.1."""
    errors = []
    for n in sizes:
        run = session.run(CaseFile("womersley").constants(N=n), f"womersley-{n}")
        omega = 0.1 * (2 * 4 / n)**2
        y = centres(n) - n / 2
        curves, points, differences = [], [], []
        largest_speed = 0
        for quarters in (77, 78, 79, 80):
            step = round(quarters / 4 * 2 * math.pi / omega)
            computed = profile(run, None if quarters == 80 else step)
            exact = womersley(y, step, n, 0.1, omega, 0.05 * omega)
            differences.append(computed - exact)
            largest_speed = max(largest_speed, numpy.abs(exact).max())
            label = f"after {quarters}/4 periods"
            curves.append((label, y / n, computed))
            points.append((f"exact, {quarters}/4", y[::2] / n, exact[::2]))
        errors.append(largest(numpy.array(differences), largest_speed))
    yield deviation(f"Womersley, {sizes[-1]}: profiles over the largest speed", errors[-1], 0.001)
    if len(sizes) > 1:
        yield order(f"Womersley: order, {sizes[0]} to {sizes[-1]}", sizes, errors, 1.8)
    session.plot("womersley", "distance from the middle / width", "speed", curves, points)


def turning(session, radii):
    """The torque on the inner and the outer cylinder, in units of rho = 1."""
    errors = {"inner": [], "outer": []}
    for radius in radii:
        run = session.run(CaseFile("taylor-couette").constants(R=radius), f"taylor-couette-{radius}")
        exact = 4 * math.pi * run.results["flow"]["viscosity"] * 0.02 / radius * radius**2 * 4 / 3
        for name, sign in ("inner", -1), ("outer", 1):
            torque = run.results["forces"][name]["torque_lattice"][2]
            errors[name].append(abs(torque / (sign * exact) - 1))
    for name, of_radii in errors.items():
        yield deviation(f"Taylor-Couette, R = {radii[-1]}: torque on the {name} cylinder",
                        of_radii[-1], 0.01 if len(radii) == 1 else 0.001)
        if len(radii) > 1:
            yield order(f"Taylor-Couette: order of the torque, {name}", radii, of_radii, 1.8)


def validate(session):
    n = 16 if session.quick else 32
    yield from couette(session, n)
    yield from slip(session, n)
    yield from oscillating(session, (n,) if session.quick else (8, 16, 32))
    yield from turning(session, (8,) if session.quick else (8, 16, 32))
