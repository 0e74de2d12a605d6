# SPDX-License-Identifier: MIT
"""Boxes of another program's lattice: a program of thirty lines of NumPy, which hands its middle over."""

import gc
import itertools

import numpy as np
import pytest

import tessera

PALABOS = [(0, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 0, -1), (-1, -1, 0), (-1, 1, 0), (-1, 0, -1),
           (-1, 0, 1), (0, -1, -1), (0, -1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0),
           (1, -1, 0), (1, 0, 1), (1, 0, -1), (0, 1, 1), (0, 1, -1)]
D2Q9 = [(x, y, 0) for x, y in itertools.product((0, 1, -1), repeat=2)]
D3Q27 = list(itertools.product((-1, 0, 1), repeat=3))
WEIGHTS = {9: (4 / 9, 1 / 9, 1 / 36), 19: (1 / 3, 1 / 18, 1 / 36), 27: (8 / 27, 2 / 27, 1 / 54, 1 / 216)}
RATE, FORCE = 1.7, (1e-4, -2e-4, 5e-5)


class Foreign:
    """A periodic box, f[x, y, z, q], after the collision or before it."""

    def __init__(self, velocities, shape, state, rate=RATE, odd_rate=None, seed=3):
        self.c = np.array(velocities)
        self.w = np.array([WEIGHTS[len(self.c)][np.abs(c).sum()] for c in self.c])
        self.opposite = [[tuple(v) for v in self.c].index(tuple(-c)) for c in self.c]
        self.state, self.rate, self.odd_rate = state, rate, odd_rate or rate
        self.force = np.array(FORCE) * (np.abs(self.c).sum(axis=0) > 0)
        random = np.random.default_rng(seed)
        self.f = self.w * (1 + 0.05 * random.standard_normal((*shape, len(self.c))))

    def collided(self, f):
        """Second order, two rates, force after Guo."""
        density = f.sum(axis=-1, keepdims=True)
        u = f @ self.c / density + 0.5 * self.force
        cu = u @ self.c.T
        equilibrium = density * self.w * (
            1 + 3 * cu + 4.5 * cu**2 - 1.5 * (u * u).sum(axis=-1, keepdims=True))
        cg = self.c @ self.force
        forcing = density * self.w * (3 * (cg - u @ self.force[:, None]) + 9 * cu * cg)
        change = self.relaxed(equilibrium - f, 1)
        return f + change + self.relaxed(forcing, 0)

    def relaxed(self, term, of_difference):
        turned = term[..., self.opposite]
        even, odd = (term + turned) / 2, (term - turned) / 2
        if of_difference:
            return self.rate * even + self.odd_rate * odd
        return (1 - self.rate / 2) * even + (1 - self.odd_rate / 2) * odd

    def streamed(self, f):
        return np.stack([np.roll(f[..., q], c, axis=(0, 1, 2)) for q, c in enumerate(self.c)], axis=-1)

    def step(self):
        if self.state == "after":
            self.f = self.collided(self.streamed(self.f))
        else:
            self.f = self.streamed(self.collided(self.f))


@pytest.fixture(autouse=True)
def nothing_left_alive():
    """What raised holds its frames, and they what they had."""
    yield
    gc.collect()


def run_both(velocities, size, state, order=None, shifted=False, layout="xyzq", precision="double",
             steps=6, **rates):
    """The whole by itself, and with a box in it that is computed elsewhere; the largest difference."""
    plane = len(velocities) == 9
    shape = tuple(np.array(size) + (4, 3, 0 if plane else 5))
    alone, guided = (Foreign(velocities, shape, state, **rates) for _ in range(2))
    dtype = np.float64 if precision == "double" else np.float32
    cp = tessera.CoProcessor(velocities=order or np.array(velocities), relaxation_rate=alone.rate,
                       odd_rate=alone.odd_rate, force=alone.force, shifted=shifted, state=state,
                       precision=precision)
    box = cp.add_box(size[:2] if plane else size)
    at = tuple(slice(1, 1 + s) for s in size[:2]) + ((slice(None),) if plane else (slice(2, 2 + size[2]),))
    inner = tuple(slice(s.start + 1, s.stop - 1) if s.start else s for s in at)
    offset = guided.w if shifted else 0.0
    axes = layout.replace("z", "") if plane else layout
    letters = "xyq" if plane else "xyzq"

    def mine():
        part = guided.f[at][:, :, 0] if plane else guided.f[at]
        return np.ascontiguousarray((part - offset).transpose([letters.index(a) for a in axes]), dtype=dtype)

    array = mine()
    for step in range(steps):
        fresh = mine()
        box.send(fresh, "all" if step == 0 else "envelope", axes=axes)
        fresh[...] = np.nan  # it has been taken over
        box.collide_and_stream()
        alone.step()
        guided.step()
        array[...] = np.nan
        box.receive(array, "all" if step == steps - 1 else "envelope", axes=axes)
        came = array.transpose([axes.index(a) for a in letters])
        came = came[:, :, None] if plane else came
        # What did not come stays poison, until all comes.
        guided.f[inner] = np.nan if step == 0 else guided.f[inner]
        found = ~np.isnan(came)
        view = guided.f[at]
        view[found] = (came.astype(float) + offset)[found]
        middle = tuple(slice(2, -2) if s > 4 else slice(0, 0) for s in size)
        if step < steps - 1 and not plane:
            view[middle] = np.nan  # ours no more
    return np.abs(guided.f - alone.f).max()


@pytest.mark.parametrize("state", ["after", "before"])
@pytest.mark.parametrize("layout", ["xyzq", "zyxq", "qzyx", "qxyz"])
def test_a_box_computed_elsewhere_is_the_same_flow(state, layout):
    assert run_both(PALABOS, (9, 12, 10), state, layout=layout) < 2e-15


@pytest.mark.parametrize("velocities", [D2Q9, PALABOS, D3Q27], ids=["D2Q9", "D3Q19", "D3Q27"])
@pytest.mark.parametrize("shifted", [False, True])
@pytest.mark.parametrize("state", ["after", "before"])
def test_every_set_shifted_or_not(velocities, shifted, state):
    size = (19, 7, 1) if len(velocities) == 9 else (19, 7, 8)
    assert run_both(velocities, size, state, shifted=shifted, odd_rate=1.1) < 2e-15


def test_single_precision_keeps_seven_digits():
    assert run_both(PALABOS, (9, 12, 10), "after", shifted=True, precision="single") < 3e-8


def test_the_smallest_box_and_a_flat_one():
    assert run_both(PALABOS, (3, 3, 3), "after") < 2e-15
    assert run_both(PALABOS, (40, 3, 4), "before") < 2e-15


def test_the_order_of_palabos_is_the_one_of_its_papers():
    assert run_both(PALABOS, (6, 7, 8), "before", order="palabos") < 2e-15


def test_boxes_beside_each_other_exchange_through_the_other_program():
    """Two halves of a periodic box, nothing left for the other program but to carry envelopes."""
    whole = Foreign(PALABOS, (8, 6, 10), "after", rate=1.2)
    cp = tessera.CoProcessor(velocities="palabos", relaxation_rate=1.2, force=FORCE)
    halves = [cp.add_box((8 + 2, 6 + 2, 5 + 2)) for _ in range(2)]

    def with_margin(n):
        take = [np.arange(-1, 9) % 8, np.arange(-1, 7) % 6, np.arange(5 * n - 1, 5 * n + 6) % 10]
        return np.ascontiguousarray(state[np.ix_(*take)])

    state = whole.f.copy()
    for step in range(5):
        arrays = [with_margin(n) for n in range(2)]
        for box, array in zip(halves, arrays):
            box.send(array, "envelope" if step else "all")
            box.collide_and_stream()
        for n, (box, array) in enumerate(zip(halves, arrays)):
            box.receive(array)
            state[:, :, 5 * n:5 * n + 5] = array[1:-1, 1:-1, 1:-1]
        whole.step()
    assert np.abs(state - whole.f).max() < 2e-15


@pytest.mark.parametrize("shape", [(9, 8, 7), (3, 3, 3), (4, 5, 6)])
def test_envelopes_cover_each_outer_cell_once(shape):
    box = tessera.CoProcessor(relaxation_rate=1.0).add_box(shape)
    for cells, margin in ((box.outer_envelope, 0), (box.inner_envelope, 1)):
        count = np.zeros(shape, int)
        for begin, size in cells:
            count[tuple(slice(b, b + s) for b, s in zip(begin, size))] += 1
        inside = [np.minimum(np.arange(n), n - 1 - np.arange(n)) for n in shape]
        depth = np.minimum(np.minimum(inside[0][:, None, None], inside[1][:, None]), inside[2])
        assert (count == (depth == margin)).all()


def test_what_is_wrong_is_said_in_one_line():
    cp = tessera.CoProcessor(relaxation_rate=1.0)
    box = cp.add_box((5, 6, 7))
    array = np.zeros((5, 6, 7, 19))
    for wrong, words in (
            (lambda: tessera.CoProcessor(relaxation_rate=2.5), "expected more than 0 and less than 2"),
            (lambda: tessera.CoProcessor(relaxation_rate=1.0, velocities=[(0, 0, 0), (1, 0, 0)]), "expected those of D2Q9"),
            (lambda: tessera.CoProcessor(relaxation_rate=1.0, velocities="sailfish"), "expected walberla, palabos"),
            (lambda: tessera.CoProcessor(relaxation_rate=1.0, state="during"), 'expected after or before'),
            (lambda: tessera.CoProcessor(relaxation_rate=1.0, gpus=99), "99 GPUs: expected at most"),
            (lambda: cp.add_box((2, 9, 9)), "expected at least 3 x 3 x 3"),
            (lambda: box.collide_and_stream(), "expected all of its cells to be sent"),
            (lambda: box.send(array, "envelope"), "expected all of its cells first"),
            (lambda: box.send(array[:4]), "expected (5, 6, 7, 19)"),
            (lambda: box.send(array[::-1]), "expected positive ones"),
            (lambda: box.send(array.astype(int)), "expected an array of float32 or float64"),
            (lambda: box.send(array, axes="xyz"), "expected the letters xyzq"),
            (lambda: box.send(array, [((0, 0, 0), (6, 1, 1))]), "expected a part of the box"),
            (lambda: box.receive(array), "expected a step before"),
            (lambda: box.receive(array, [((0, 0, 0), (1, 1, 1))]), "expected a part of the cells that are computed")):
        with pytest.raises(ValueError) as raised:
            wrong()
        assert words in str(raised.value), str(raised.value)
        assert "\n" not in str(raised.value)


def test_a_run_beside_a_living_coprocessor_is_refused_and_works_after_it():
    im = tessera.generate("spheres", size=24, radius=6, porosity=0.5)
    with tessera.CoProcessor(relaxation_rate=1.0) as cp:
        box = cp.add_box((5, 5, 5))
        with pytest.raises(RuntimeError, match="expected no co-processor beside a run"):
            tessera.permeability(im, voxel_size=1e-6, axis=0, solver="steps", max_steps=20)
    with pytest.raises(ValueError, match="expected an open one"):
        box.collide_and_stream()
    assert tessera.permeability(im, voxel_size=1e-6, axis=0, solver="steps", max_steps=20).k_m2 != 0
