# SPDX-License-Identifier: MIT
"""A run warns of what no fluid touches and of a flow that is too fast, and says whether one is steady."""

import csv
import unittest

from cases import RunCase
from command import FAILED, NOT_CONVERGED

BALLS = """
[geometry]
shape = [16, 12, 12]
periodic = ["x", "y", "z"]
BALLS
[[geometry.solid]]
shape = "box"
label = "box"
lower = [2, 2, 2]
upper = [10, 10, 10]
[fluid]
viscosity = 0.1
[force]
body = [1e-6, 0, 0]
[stop]
steps = 100
FORCES
[run]
gpus = 0
"""

# A box without walls, which falls.
FALL = """
[geometry]
shape = [8, 8, 8]
periodic = ["x", "y", "z"]
[fluid]
viscosity = 0.1
[model]
equilibrium = "navier-stokes"
precision = "double"
[force]
body = [1e-3, 0, 0]
[stop]
steps = 300
[run]
gpus = 0
"""

# Plates that a force shakes.
SHAKEN = """
[geometry]
shape = [4, 12, 1]
periodic = ["x"]
[fluid]
viscosity = 0.1
[force]
body = [1e-5, 0, 0]
factor = "FACTOR"
[stop]
steps = 20000
steady = { tolerance = 1e-5, every = 200 }
[run]
gpus = 0
"""


class Swallowed(RunCase):
    """A solid that no fluid touches."""

    def balls(self, count):
        ball = ('[[geometry.solid]]\nshape = "sphere"\nlabel = "{0}"\ncenter = [6, 6, 6]\n'
                'radius = 2\n')
        force = '[[output.force]]\nname = "on-{0}"\non = "{0}"\nevery = 50\n'
        names = [f"ball{i}" for i in range(count)]
        return (names, ("BALLS", "".join(ball.format(n) for n in names)),
                ("FORCES", "".join(force.format(n) for n in ["box", *names])))

    def test_feels_nothing_and_is_warned_of(self):
        for count in (1, 12):
            with self.subTest(count):
                names, *replaced = self.balls(count)
                results = self.run_case(BALLS, *replaced)
                self.assertGreater(results["forces"]["on-box"]["force_lattice"][0], 0)
                self.assertEqual(len(results["warnings"]), count)
                for name, warning in zip(names, results["warnings"]):
                    self.assertEqual(results["forces"][f"on-{name}"]["force_lattice"], [0, 0, 0])
                    self.assertIn(f"no fluid touches '{name}'", warning)
                    self.assertIn(warning, self.last.stderr)
                    with open(self.path(f"out/on-{name}.csv"), encoding="utf-8") as file:
                        rows = list(csv.DictReader(file))
                    self.assertEqual([float(row["fx"]) for row in rows], [0, 0])

    def test_is_warned_of_before(self):
        _, *replaced = self.balls(1)
        text = BALLS
        for old, new in replaced:
            text = text.replace(old, new)
        self.write("case.toml", text.encode())
        run = self.tessera("run", "case.toml", "--check")
        self.assertIn("warning     no fluid touches 'ball0'", run.stdout)


class Speed(RunCase):
    def test_a_fast_flow_is_warned_of(self):
        results = self.run_case(FALL)
        # Free fall for 300 steps.
        self.assertAlmostEqual(results["flow"]["mach"], 0.3 * 3**0.5, delta=1e-6)
        self.assertEqual(len(results["warnings"]), 1)
        self.assertIn("Mach 0.52", results["warnings"][0])
        self.assertEqual(self.last.stderr.count("Mach"), 1)

    def test_a_slow_one_is_not(self):
        results = self.run_case(FALL, ("1e-3", "1e-5"))
        self.assertAlmostEqual(results["flow"]["mach"], 0.003 * 3**0.5, delta=1e-8)
        self.assertEqual((results["warnings"], self.last.stderr), ([], ""))

    def test_an_absurd_one_has_diverged(self):
        for force, steps in (("1e-2", "300"), ("2e-3", "5000")):
            with self.subTest(force):
                results = self.run_case(FALL, ("1e-3", force), ("steps = 300", f"steps = {steps}"),
                                        status=FAILED)
                self.assertEqual(results["stop"]["reason"], "diverged")
                self.assertIsNone(results["final"])
                self.assertGreater(results["flow"]["mach"], 0.3)
                self.assertIn("voxels a step", self.last.stderr)
                self.assertLess(results["stop"]["steps"], 1100)


class Steady(RunCase):
    def test_a_flow_with_the_period_of_the_looks_is_not(self):
        for period in (200, 100, 50):
            with self.subTest(period):
                factor = f"1 + 0.5*cos(2*pi*t/{period} + 1)"
                results = self.run_case(SHAKEN, ("FACTOR", factor), ("20000", "5100"),
                                        status=NOT_CONVERGED)
                self.assertFalse(results["stop"]["steady"])
                self.assertGreater(results["stop"]["change"], 1e-5)

    def test_one_that_settles_is_a_look_later(self):
        results = self.run_case(SHAKEN, ("FACTOR", "1"))
        self.assertTrue(results["stop"]["steady"])
        self.assertLess(results["stop"]["change"], 1e-5)
        # The slowest mode of the plates decays in 146 steps, to 1e-5 of a change in some 2000.
        self.assertLess(results["stop"]["steps"], 2500)


if __name__ == "__main__":
    unittest.main()
