# SPDX-License-Identifier: MIT
"""What the tests of several processes of MPI share: how they are started, and what they compute."""

import pathlib
import sys
import time

import h5py
import numpy as np

# What all tests of commands share. Tests import this module first, and then find those, too.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from command import BAD_INPUT, CommandTest, voxels  # noqa: E402  pylint: disable=wrong-import-position

# More processes than cores: one that waits gives its turn away. And mpirun waits two seconds where a job ends with
# a status other than 0, in case that somebody does not end.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_odls_base_sigkill_timeout": "0", "STARPU_NCPU": "1"}

SOLVED = ["--cores", "1", "--gpus", "0"]

STEPS = ["--solver", "steps", "--tiles", "7", "--cores", "1", "--gpus", "0"]

CHANNEL = """
[constants]
N = 16
U = 0.05
[geometry]
shape = ["3*N", "N", 20]
periodic = ["z"]
[[geometry.solid]]
shape = "sphere"
label = "ball"
center = ["0.8*N", "N/2", 10]
radius = 4.3
[fluid]
reynolds = 10
length = 9
speed = "U"
[[boundary]]
on = "x-"
type = "velocity"
velocity = ["U", 0, 0]
factor = "1+0.1*sin(2*pi*t/50)"
[[boundary]]
on = "x+"
type = "outflow"
scheme = "extrapolate"
[[boundary]]
on = "y-"
type = "slip"
[[boundary]]
on = "y+"
type = "moving-wall"
velocity = ["U", 0, 0]
[[boundary]]
on = "ball"
type = "interpolated-wall"
[stop]
steps = LAST
steady = { tolerance = 1e-9, every = 30 }
[output]
fields = { at = [40] }
[output.averages]
from = 20
every = 10
quantities = ["velocity", "density", "reynolds-stresses"]
[[output.probe]]
name = "behind"
at = ["1.5*N", "N/2", 10]
every = 10
[[output.probe]]
name = "between"  # blocks, and perhaps processes
at = ["0.3*N", 7.9, 8.1]
every = 7
[[output.line]]
name = "across"
from = ["N", 3, 0]
to = ["2*N", 14, 20]
points = 23
every = 25
[[output.force]]
name = "drag"
on = "ball"
every = 10
[run]
gpus = 0
tiles = 7
"""

# Curved, of unlike degrees, with all kinds of sides.
WIND = """
method = "spectral"
[mesh]
box = [3, 1, 1]
cells = [12, 4, 4]
bend = ["x", "y + 0.1*(1 - y)*exp(-10*(x - 1.5)^2)", "z + 0.05*sin(2*pi*z)*sin(2*pi*x)"]
degree = "1 + (x > 1) + (z > 0.5)"
periodic = ["z"]
[initial]
density = "1 + 0.05*sin(2*pi*x)"
velocity = [0.5, 0, 0.1]
pressure = 0.7
[[boundary]]
on = ["y-", "y+"]
type = "slip-wall"
[[boundary]]
on = "x-"
type = "inflow"
density = 1
velocity = [0.5, 0, "0.1*y"]
pressure = 0.7
[[boundary]]
on = "x+"
type = "outflow"
pressure = 0.7
[time]
cfl = 0.9
[stop]
time = 0.2
[output]
records-every = 5
fields = { every = 10 }
[output.exact]
density = 1
velocity = [0.5, 0, 0]
pressure = 0.7
[[output.probe]]
name = "behind"
at = [2, 0.5, 0.3]
every = 3
[run]
gpus = 0
tiles = 9
"""


def rock(shape=(40, 24, 20)):
    """A pore space that leads through along all axes, without symmetry, of several blocks along each, and its shape."""
    return voxels(shape, lambda x, y, z: (x * x + 3 * y * y + 5 * z * z + x * y + 2 * y * z) % 11 < 3
                  and (y % 7 > 1 or z % 5 > 1)), shape


def contents(file):
    """All that is in a file of HDF5, by name."""
    found = {}
    with h5py.File(file) as hdf5:
        hdf5.visititems(lambda name, item: found.update({name: item[()]})
                        if isinstance(item, h5py.Dataset) else None)
    return found


def mpirun(ranks):
    return ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(ranks)]


class RanksTest(CommandTest):
    def mpirun(self, ranks, *arguments, **options):
        return self.tessera(*arguments, environment=ENVIRONMENT, launcher=mpirun(ranks), **options)

    def assert_same_files(self, one, other):
        names = sorted(p.name for p in self.path(one).iterdir())
        self.assertEqual(names, sorted(p.name for p in self.path(other).iterdir()))
        for name in names:
            if name.endswith(".csv"):
                self.assertEqual(self.path(one).joinpath(name).read_text(),
                                 self.path(other).joinpath(name).read_text(), name)
            if name.endswith(".vtkhdf"):
                if (self.path(one) / name).read_bytes() == (self.path(other) / name).read_bytes():
                    continue
                first, second = contents(self.path(one) / name), contents(self.path(other) / name)
                self.assertEqual(first.keys(), second.keys())
                self.assertTrue(any(field.endswith("/tile") for field in first), f"{name}: not the same bytes")
                for field, values in first.items():
                    if not field.endswith("/tile"):  # of whom a voxel is, depends on the cut
                        self.assertTrue(np.array_equal(values, second[field]), f"{name} {field}")

    def assert_all_refuse(self, *arguments, says, status=BAD_INPUT, ranks=2):
        before = self.files()
        start = time.monotonic()
        run = self.mpirun(ranks, *arguments)
        self.assertLess(time.monotonic() - start, 60)
        self.assertEqual(run.returncode, status, run.stderr)
        ours = [line for line in run.stderr.splitlines() if line.startswith("tessera: ")]
        self.assertEqual(len(ours), 1, run.stderr)
        self.assertIn(says, ours[0])
        self.assertEqual(self.files(), before)
