# SPDX-License-Identifier: MIT
"""A round pipe at Re = 100 on D3Q19 and on D3Q27: what is left of the roundness."""

import numpy

from case_file import CaseFile
from numerics import middle
from rows import deviation

MEAN = 0.05


def validate(session):
    radius = 8 if session.quick else 16
    curves = []
    for lattice in ("D3Q19", "D3Q27"):
        case = CaseFile("pipe-lattices").constants(R=radius).set("model", lattice=lattice)
        run = session.run(case, f"pipe-{lattice}")
        velocity = run.field("velocity")[:, :, 0].astype(float)
        inside = run.field("solid")[:, :, 0] == 0
        n = len(inside)
        y = numpy.arange(n) + 0.5 - n / 2
        r = numpy.hypot(y[None, :], y[:, None])
        exact = 2 * MEAN * (1 - (r / radius)**2)
        along = velocity[..., 0]
        error = numpy.abs(along - exact)[inside].max() / (2 * MEAN)
        yield deviation(f"{lattice}: profile, over the axis' speed", error)
        # Profiles over r^2, in which they are straight. No voxel is on the axis of y: r^2 = y^2 + 1/4.
        squares = y[n // 2:]**2
        axis = middle(along, 0)[n // 2:]
        diagonal = numpy.diagonal(along)[n // 2:]
        shared = numpy.linspace(1, 0.9 * radius, 50)**2
        difference = (numpy.interp(shared, squares + 0.25, axis) -
                      numpy.interp(shared, 2 * squares, diagonal))
        yield deviation(f"{lattice}: axis against diagonal, over the axis' speed",
                        numpy.abs(difference).max() / (2 * MEAN))
        across = numpy.hypot(velocity[..., 1], velocity[..., 2]).max()
        yield deviation(f"{lattice}: speed across the pipe, over the axis' speed",
                        across / (2 * MEAN))
        curves += [(f"{lattice}, axis", numpy.sqrt(squares + 0.25) / radius, axis),
                   (f"{lattice}, diagonal", numpy.sqrt(2 * squares) / radius, diagonal)]
    r = numpy.linspace(0, 1, 21)
    session.plot("pipe-lattices", "distance from the axis / radius", "speed", curves,
                 [("Hagen, Poiseuille", r, 2 * MEAN * (1 - r * r))])
