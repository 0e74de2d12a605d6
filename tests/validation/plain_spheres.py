# SPDX-License-Identifier: MIT
"""A plain lattice Boltzmann method, node by node of a cube: the oracle for interpolated walls.

Creeping flow between spheres, periodic: D3Q19, two relaxation times (Ginzburg, Verhaeghe,
d'Humieres, Commun. Comput. Phys. 3 (2008) 427) with an equilibrium that is linear in the velocity,
a constant force in its odd part, and linearly interpolated bounce-back (Bouzidi, Firdaouss,
Lallemand, Phys. Fluids 13 (2001) 3452, eqs. 5). Nothing of it is Tessera's.
"""

import itertools

import numpy

VELOCITIES = [c for c in itertools.product((0, 1, -1), repeat=3) if sum(map(abs, c)) <= 2]
WEIGHTS = [(1 / 3, 1 / 18, 1 / 36)[sum(map(abs, c))] for c in VELOCITIES]
OPPOSITE = [VELOCITIES.index((-x, -y, -z)) for x, y, z in VELOCITIES]


def distance(points, direction, centres, radius):
    """From each point along the direction to the nearest sphere, in units of the direction."""
    nearest = numpy.full(len(points), numpy.inf)
    length = numpy.dot(direction, direction)
    for centre in centres:
        away = points - centre
        along = away @ direction
        root = along**2 - length * ((away**2).sum(1) - radius**2)
        meets = root >= 0
        t = (-along[meets] - numpy.sqrt(root[meets])) / length
        nearest[meets] = numpy.where(t >= 0, numpy.minimum(nearest[meets], t), nearest[meets])
    return nearest


def velocity_between_spheres(n, centres, radius, force, relaxation_time, magic, steps):
    """Of a cube of n^3 voxels, driven along x; [x, y, z, 3], 0 in the spheres, in lattice units."""
    centres = [numpy.add(centre, n * numpy.array(shift))
               for centre in centres for shift in itertools.product((-1, 0, 1), repeat=3)]
    points = numpy.stack(numpy.meshgrid(*[numpy.arange(n) + 0.5] * 3, indexing="ij"), -1)
    fluid = numpy.all([((points - centre)**2).sum(-1) >= radius**2 for centre in centres], 0)

    # Links that end in a sphere: the node, the next one behind it, and where on the link the wall is.
    links = []
    for q, c in enumerate(VELOCITIES):
        at = numpy.argwhere(fluid & ~numpy.roll(fluid, numpy.negative(c), (0, 1, 2)))
        behind = tuple(((at - c) % n).T)
        fraction = distance(at + 0.5, numpy.array(c), centres, radius)
        fraction[~fluid[behind] & (fraction < 0.5)] = 0.5  # a gap of one node
        links.append((tuple(at.T), behind, fraction))

    even = 1 / relaxation_time
    odd = 1 / (magic / (relaxation_time - 0.5) + 0.5)
    # Deviations from the weights. At rest with the half of the force that velocities have in them.
    f = numpy.stack([-3 * w * c[0] * force / 2 * fluid for c, w in zip(VELOCITIES, WEIGHTS)])

    def velocity_of(f):
        return numpy.tensordot(f, VELOCITIES, (0, 0)) + [force / 2, 0, 0]

    for _ in range(steps):
        density, velocity = f.sum(0), velocity_of(f)
        after = numpy.empty_like(f)
        for q, c in enumerate(VELOCITIES):
            opposite = f[OPPOSITE[q]]
            after[q] = (f[q] - even * ((f[q] + opposite) / 2 - WEIGHTS[q] * density)
                        - odd * ((f[q] - opposite) / 2 - 3 * WEIGHTS[q] * velocity @ c)
                        + (1 - odd / 2) * 3 * WEIGHTS[q] * force * c[0])
        for q, c in enumerate(VELOCITIES):
            f[q] = numpy.roll(after[q], c, (0, 1, 2))
        for q, (at, behind, fraction) in enumerate(links):
            near = 2 * fraction * after[q][at] + (1 - 2 * fraction) * after[q][behind]
            with numpy.errstate(divide="ignore", invalid="ignore"):
                far = (after[q][at] + (2 * fraction - 1) * after[OPPOSITE[q]][at]) / (2 * fraction)
            f[OPPOSITE[q]][at] = numpy.where(fraction < 0.5, near, far)
        f[:, ~fluid] = 0
    return velocity_of(f) * fluid[..., None]
