# SPDX-License-Identifier: MIT
"""Flow with inertia: where theory knows what it does, and that it does not matter how one gets there."""

import csv
import math
import unittest

from command import DONE, NOT_CONVERGED, CommandTest


class Forchheimer(CommandTest):
    def spheres(self, size=12):
        self.tessera("generate", "sphere-array", "--lattice", "sc", "--solid-fraction", 0.216,
                     "--size", size, "--out", "sc.raw")
        return ["sc.raw", "--shape", f"{size},{size},{size}", "--periodic"]

    def forchheimer(self, *arguments, status=DONE):
        run = self.tessera("forchheimer", *arguments, "--out", "out")
        self.assertEqual(run.returncode, status, run.stderr)
        self.printed = run.stdout
        return self.results()

    def test_weak_inertia_takes_a_part_that_grows_with_the_square(self):
        # Mei and Auriault, J. Fluid Mech. 222 (1991): the term linear in Re vanishes.
        found = self.forchheimer(*self.spheres(), "--reynolds", "4,0.5,2,1", "--tolerance", 1e-6,
                                 "--precision", "double")
        self.assertEqual([f["reynolds_asked"] for f in found["flows"]], [0.5, 1, 2, 4])
        excess = [found["k_lattice"] / f["k_lattice"] - 1 for f in found["flows"]]
        self.assertGreater(excess[0], 0)
        for f, g, a, b in zip(found["flows"], found["flows"][1:], excess, excess[1:]):
            slope = math.log(b / a) / math.log(g["reynolds"] / f["reynolds"])
            self.assertAlmostEqual(slope, 2, delta=0.12)
        self.assertIsNone(found["forchheimer"])
        self.assertIn("no Forchheimer law", self.printed)

    def test_between_plates_nothing_is_accelerated(self):
        self.tessera("generate", "plates", "--gap", 6, "--normal", "y", "--out", "plates.raw")
        found = self.forchheimer("plates.raw", "--shape", "8,7,8", "--periodic", "--reynolds",
                                 "0.1,1,10,50", "--tolerance", 1e-4)
        for flow in found["flows"]:
            self.assertAlmostEqual(flow["k_lattice"] / found["k_lattice"], 1, delta=2e-4)
            self.assertAlmostEqual(flow["reynolds"] / flow["reynolds_asked"], 1, delta=1e-3)

    def test_strong_inertia_has_a_law_and_files(self):
        sample = self.spheres()
        found = self.forchheimer(*sample, "--reynolds", "20,40,80", "--voxel-size", "1um")
        law = found["forchheimer"]
        self.assertEqual(law["flows"], 3)
        self.assertLess(law["misfit"], 0.005)
        self.assertAlmostEqual(law["beta_per_m"], law["beta_lattice"] * 1e6, delta=1e-3)
        for flow in found["flows"]:
            over = flow["velocity_over_viscosity_lattice"]
            line = 1 / law["k_lattice"] + law["beta_lattice"] * over
            self.assertAlmostEqual(line * flow["k_lattice"], 1, delta=law["misfit"] * 1.001)
            self.assertLess(flow["mach"], 0.06)
        self.assertLess(law["k_lattice"], found["k_lattice"])
        with open(self.path("out/forchheimer.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([float(row["k_lattice"]) for row in rows],
                         [flow["k_lattice"] for flow in found["flows"]])
        # By itself, from a creeping flow instead of the one before.
        alone = self.forchheimer(*sample, "--reynolds", "80")["flows"][0]
        line = 1 / law["k_lattice"] + law["beta_lattice"] * alone["velocity_over_viscosity_lattice"]
        self.assertAlmostEqual(line * alone["k_lattice"], 1, delta=0.005)

    def test_where_single_precision_would_stand_still_it_is_double(self):
        # At 12 voxels and Re 8 drag and force would go on to differ by some 7e-6.
        sample = [*self.spheres(), "--reynolds", "0.5,8"]
        flows = self.forchheimer(*sample, "--tolerance", 1e-5)["flows"]
        self.assertEqual([f["precision"] for f in flows], ["single", "double"])
        self.assertTrue(all(f["state"] == "converged" for f in flows))
        asked = self.forchheimer(*sample[:-1], 8, "--tolerance", 1e-5, "--precision", "double")["flows"]
        self.assertAlmostEqual(flows[1]["k_lattice"] / asked[0]["k_lattice"], 1, delta=1e-5)
        coarse = self.forchheimer(*sample, "--tolerance", 1e-3)["flows"]
        self.assertEqual([f["precision"] for f in coarse], ["single", "single"])

    def test_bad_input(self):
        sample = self.spheres()
        for arguments, says in ((["--reynolds", "1,1"], "--reynolds 1 stands there twice"),
                                (["--reynolds", "0"], "--reynolds 0: expected"),
                                (["--reynolds", "1", "--axis", "all"], "--axis all"),
                                ([], "--reynolds")):
            self.assert_refused("forchheimer", *sample, *arguments, "--out", "out", says=says)

    def test_what_does_not_settle_is_said(self):
        found = self.forchheimer(*self.spheres(), "--reynolds", "0.1,20", "--max-steps", 500,
                                 status=NOT_CONVERGED)
        self.assertEqual([f["state"] for f in found["flows"]][-1], "step limit reached")
        self.assertRegex("".join(found["warnings"]), r"Re \S+: not settled after 500 steps: .*--max-steps")


if __name__ == "__main__":
    unittest.main()
