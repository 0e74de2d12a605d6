#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lbmpy with Tessera in its middle.

A cube of 3 x 3 x 3 sub-domains: lbmpy (pip install lbmpy) sweeps over 26 of them on the cores, with
arrays of its own; the one in the centre, whose size may be chosen, is Tessera's, on a GPU if there
is one. Beside it, the same flow by lbmpy alone: the two agree to rounding. At the end stands what a
step costs, part by part, beside the model of it: what each part costs by itself.

    python3 cavity.py                                    # a lid-driven cavity of 48^3, a centre of 32^3
    python3 cavity.py --flow perturbation --layout zyxf
    python3 cavity.py --edge 132 --centre 128 --steps 200
"""

import argparse
import itertools
import os
import time

# Before anything reads it. A thread of lbmpy's that shared its core with one of Tessera's workers
# would keep all others waiting.
PRESENT = len(os.sched_getaffinity(0))
os.environ.setdefault("OMP_NUM_THREADS", str(max(1, PRESENT // 2)))

import lbmpy
import numpy as np
import pystencils as ps

import tessera

LID = (0.05, 0.0, 0.0)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("--flow", choices=("cavity", "perturbation"), default="cavity")
    add("--edge", type=int, default=48, help="cells of the cube")
    add("--centre", type=int, default=32, help="cells of the sub-domain that Tessera computes")
    add("--steps", type=int, default=100)
    add("--rate", type=float, default=1.6, help="relaxation rate 1/tau")
    add("--layout", choices=("fzyx", "zyxf"), default="fzyx", help="of lbmpy's arrays, slowest first")
    add("--transfer", choices=("envelope", "all"), default="envelope", help="in each step")
    add("--reorder", choices=("tessera", "numpy"), default="tessera",
        help="who brings cells into another order: Tessera, where it computes, or NumPy, here")
    add("--cores", type=int, default=max(1, PRESENT - int(os.environ["OMP_NUM_THREADS"])),
        help="that Tessera computes with, without a GPU; lbmpy has the others")
    given = parser.parse_args()
    if not 3 <= given.centre <= given.edge - 2:
        parser.error(f"--centre {given.centre}: expected 3 to {given.edge - 2}")
    return given


class Lattice:
    """Populations after the collision, as lbmpy has them, with a ghost layer; f[x, y, z, q]."""

    def __init__(self, given):
        self.given, n = given, given.edge
        stencil = lbmpy.LBStencil(lbmpy.Stencil.D3Q19)
        self.c = np.array(stencil.stencil_entries)
        self.opposite = [stencil.inverse_index(c) for c in stencil.stencil_entries]
        config = lbmpy.LBMConfig(stencil=stencil, method=lbmpy.Method.SRT, compressible=True,
                                 continuous_equilibrium=False, zero_centered=False,
                                 relaxation_rate=given.rate)
        fields = ps.fields("f(19), g(19): double[3D]", layout=given.layout)
        rule = lbmpy.create_lb_update_rule(
            lbm_config=config, lbm_optimisation=lbmpy.LBMOptimisation(
                symbolic_field=fields[0], symbolic_temporary_field=fields[1]))
        threads = ps.CreateKernelConfig(target=ps.Target.CPU)
        threads.cpu.openmp.enable = True
        self.sweep = ps.create_kernel(rule, threads).compile()
        self.w = np.array([float(w) for w in rule.method.weights])
        self.f, self.g = self.array(n), self.array(n)
        self.f[...] = self.g[...] = self.w  # touched in order, so that pages are large
        if given.flow == "perturbation":
            x = (np.arange(-1, n + 1) + 0.5) / n - 0.5
            squared = x[:, None, None]**2 + x[:, None]**2 + x**2
            self.f *= 1 + 0.01 * np.exp(-50 * squared)[..., None]

    def array(self, cells):
        """With ghosts, in lbmpy's order of axes."""
        size = cells + 2
        if self.given.layout == "fzyx":
            return np.zeros((19, size, size, size)).transpose(3, 2, 1, 0)
        return np.zeros((size, size, size, 19)).transpose(2, 1, 0, 3)

    def fill_ghosts(self):
        if self.given.flow == "cavity":
            self.bounce_back()
        else:
            for axis in range(3):
                f = np.moveaxis(self.f, axis, 0)
                f[0], f[-1] = f[-2], f[1]

    def bounce_back(self):
        """Walls half-way to the ghosts; the one at the end of z moves."""
        f, n = self.f, self.given.edge
        for axis, side in itertools.product(range(3), (0, 1)):
            inward = 1 - 2 * side
            for q, c in enumerate(self.c):
                if c[axis] != inward:
                    continue
                at = [slice(1, n + 1)] * 3
                at[axis] = 1 if side == 0 else n
                ghost = [slice(1 - c[a], n + 1 - c[a]) for a in range(3)]
                ghost[axis] = 0 if side == 0 else n + 1
                moving = 6 * self.w[q] * np.dot(c, LID) if (axis, side) == (2, 1) else 0.0
                f[(*ghost, q)] = f[(*at, self.opposite[q])] + moving

    def sweep_over(self, boxes):
        for box in boxes:
            self.sweep(f=self.f[box], g=self.g[box])

    def swap(self):
        self.f, self.g = self.g, self.f


def sub_domains(given):
    """Views with a ghost layer: the 26 around, and the one in the centre."""
    first = (given.edge - given.centre) // 2
    cuts = (0, first, first + given.centre, given.edge)
    pieces = [slice(a, b + 2) for a, b in itertools.pairwise(cuts)]
    boxes = list(itertools.product(pieces, repeat=3))
    return [box for box in boxes if box != (pieces[1],) * 3], (pieces[1],) * 3


class Centre:
    """What lbmpy does not compute."""

    def __init__(self, given, coprocessor, where):
        self.given, self.where = given, where
        self.box = coprocessor.add_box((given.centre + 2,) * 3)
        self.turned = None if given.reorder == "tessera" else np.zeros((19, *self.box.shape))

    def send(self, f, cells):
        if self.turned is None:
            return self.box.send(f[self.where], cells)
        chosen = self.box.outer_envelope if cells == "envelope" else [((0, 0, 0), self.box.shape)]
        self.turn(self.turned.transpose(1, 2, 3, 0), f[self.where], chosen)
        self.box.send(self.turned, cells, axes="qxyz")

    def receive(self, f, cells):
        if self.turned is None:
            return self.box.receive(f[self.where], cells)
        self.box.receive(self.turned, cells, axes="qxyz")
        inside = [((1, 1, 1), (self.given.centre,) * 3)]
        chosen = self.box.inner_envelope if cells == "envelope" else inside
        self.turn(f[self.where], self.turned.transpose(1, 2, 3, 0), chosen)

    @staticmethod
    def turn(to, source, chosen):
        for begin, size in chosen:
            at = tuple(slice(b, b + s) for b, s in zip(begin, size))
            to[at] = source[at]


class Clock:
    """Seconds by part."""

    def __init__(self):
        self.seconds = {}

    def __call__(self, part, work, *words):
        start = time.perf_counter()
        work(*words)
        self.seconds[part] = self.seconds.get(part, 0) + time.perf_counter() - start


def run(given, lattice, boxes, centre):
    clock = Clock()
    for step in range(given.steps):
        cells = "all" if step == 0 else given.transfer
        clock("boundary", lattice.fill_ghosts)
        clock("send", centre.send, lattice.f, cells)
        clock("start", centre.box.collide_and_stream)
        clock("lbmpy, 26 sub-domains", lattice.sweep_over, boxes)
        clock("receive", centre.receive, lattice.g, "all" if step == given.steps - 1 else given.transfer)
        lattice.swap()
    return clock.seconds


def cost_alone(work, times=20):
    """Seconds, the least of some: what others do on the machine is not the part's."""
    least = np.inf
    for _ in range(times):
        start = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - start)
    return least


def model(given, lattice, boxes, centre, coprocessor):
    """Each part of a step by itself; lbmpy and Tessera compute at the same time."""
    def steps(count=10):
        for _ in range(count):
            centre.box.collide_and_stream()
        coprocessor.wait()

    parts = {"boundary": cost_alone(lattice.fill_ghosts),
             "send": cost_alone(lambda: (centre.send(lattice.f, given.transfer), coprocessor.wait())),
             "receive": cost_alone(lambda: centre.receive(lattice.f, given.transfer)),
             "lbmpy, 26 sub-domains": cost_alone(lambda: lattice.sweep_over(boxes)),
             "Tessera, the centre": cost_alone(steps) / 10}
    both = max(parts["lbmpy, 26 sub-domains"], parts["Tessera, the centre"])
    return parts, parts["boundary"] + parts["send"] + both + parts["receive"]


def main():
    given = arguments()
    alone, mixed = Lattice(given), Lattice(given)
    boxes, where = sub_domains(given)
    with tessera.CoProcessor(alone.c, relaxation_rate=given.rate, cores=given.cores) as coprocessor:
        centre = Centre(given, coprocessor, where)
        print(f"{given.flow}, {given.edge}^3 cells, of which {given.centre}^3 by Tessera on "
              f"{coprocessor.workers}; arrays {given.layout}, {given.transfer} in each step")
        seconds = run(given, mixed, boxes, centre)
        start = time.perf_counter()
        for _ in range(given.steps):
            alone.fill_ghosts()
            alone.sweep(f=alone.f, g=alone.g)
            alone.swap()
        by_itself = (time.perf_counter() - start) / given.steps
        inside = (slice(1, -1),) * 3
        velocity = np.abs(alone.f[inside] @ alone.c).max()
        difference = np.abs(mixed.f[inside] - alone.f[inside]).max()
        parts, expected = model(given, mixed, boxes, centre, coprocessor)
    measured = sum(seconds.values()) / given.steps
    for part in dict.fromkeys([*seconds, *parts]):
        mean = f"{1e3 * seconds[part] / given.steps:8.3f} ms" if part in seconds else " " * 11
        least = f"{1e3 * parts[part]:8.3f} ms by itself" if part in parts else ""
        print(f"  {part:24}{mean}{least}")
    print(f"  {'a step':24}{1e3 * measured:8.3f} ms{1e3 * expected:8.3f} ms by the model "
          f"({expected / measured:.0%}); lbmpy alone {1e3 * by_itself:.3f} ms")
    print(f"largest momentum {velocity:.3g}; populations differ from lbmpy's alone by {difference:.2g}")
    if not difference < 1e-13:
        raise SystemExit("expected the flow of lbmpy alone")


if __name__ == "__main__":
    main()
