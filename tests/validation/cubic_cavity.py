# SPDX-License-Identifier: MIT
"""The cubic cavity at Re = 1000: Albensoeder, Kuhlmann (2005); MRT, TRT and BGK on D3Q19."""

import math

from case_file import CaseFile, Diverged
from numerics import between_walls, interpolated, middle, numbers, published, rms
from rows import deviation, relative


def references():
    """Places and values of u over the height and of v over the width. Albensoeder's x goes down
    from the lid, and his y is our x."""
    table = {key: numbers(column)
             for key, column in published("albensoeder_kuhlmann_2005_cube").items()}
    return {"u": (0.5 - table["x"], table["v"]), "v": (0.5 + table["y"], -table["u"])}


def centre_lines(velocity):
    """u over the height and v over the width, through the centre, with the values at the walls."""
    u = middle(middle(velocity[..., 0], 2), 0)
    v = middle(middle(velocity[..., 1], 1), 0)
    return {"u": between_walls(u, 0, 1), "v": between_walls(v, 0, 0)}


def lines_of(session, operator, n):
    """None: the operator is not stable with so few voxels."""
    speed = 0.1
    case = CaseFile("cubic-cavity").constants(N=n, U=speed).set("model", collision=operator)
    if operator != "mrt":
        case.without("model.rates")
    try:
        run = session.run(case, f"cubic-cavity-{n}-{operator}")
    except Diverged:
        return None
    return centre_lines(run.field("velocity") / speed)


def validate(session):
    n = 24 if session.quick else session.size or 128
    bars = (0.09, 0.2) if session.quick else (0.01, 0.03)
    errors = {}
    curves = []
    for operator in ("mrt",) if session.quick else ("mrt", "trt", "bgk"):
        lines = lines_of(session, operator, n)
        for name, (at, values) in references().items():
            if lines is None:
                errors[operator, name] = math.inf
                continue
            found = interpolated(at, *lines[name])
            errors[operator, name] = rms(found - values)
            yield deviation(f"{operator}, {n}^3: RMS of {name}", errors[operator, name], bars[0])
            for extreme in (values.argmin(), values.argmax()):
                if 0 < at[extreme] < 1:
                    yield relative(f"{operator}, {n}^3: {name} at {at[extreme]:.4f}",
                                   found[extreme], values[extreme], bars[1])
            curves.append((f"{name}, {operator}", *lines[name]))
    if not session.quick:
        for name in "uv":
            others = min(errors["bgk", name], errors["trt", name])
            yield deviation(f"{n}^3: RMS of {name}, that of MRT over the others' least",
                            errors["mrt", name] / others, 1.05)
    points = [(f"{name}, Albensoeder, Kuhlmann", *line) for name, line in references().items()]
    session.plot(f"cubic-cavity-{n}", "place along the line", "speed / lid's", curves, points)
