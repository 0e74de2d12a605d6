# SPDX-License-Identifier: MIT
"""--outside: what lies around a core in its image counts in nothing."""

import csv
import random
import unittest

from command import BAD_INPUT, DONE, CommandTest

N = 12  # edge of the core
SIDE = 3  # voxels around it


class Outside(CommandTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(3)
        # Pores 1 and solid 2; along z the core fills the image, around it is air, 0.
        self.core = {(x, y, z): rng.choice((1, 1, 1, 2)) for z in range(N) for y in range(N) for x in range(N)}
        self.write("core.raw", bytes(self.core[x, y, z] for z in range(N) for y in range(N) for x in range(N)))
        wide = range(-SIDE, N + SIDE)
        self.write("image.raw", bytes(self.core.get((x, y, z), 0) for z in range(N) for y in wide for x in wide))
        self.alone = ["core.raw", "--shape", f"{N},{N},{N}", "--pore", "1"]
        self.image = ["image.raw", "--shape", f"{N + 2 * SIDE},{N + 2 * SIDE},{N}", "--pore", "1", "--outside", "0"]
        self.porosity = list(self.core.values()).count(1) / N ** 3

    def found(self, command, *options):
        run = self.tessera(command, *options, "--axis", "z", "--quiet", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        return self.results()

    def test_k_and_porosities_are_those_of_the_core(self):
        for options in (["--buffer-layers", "0"], ["--mirror"], ["--buffer-layers", "0", "--solver", "steps"],
                        ["--buffer-layers", "0", "--refine", "2"]):
            with self.subTest(options=options):
                options += ["--no-fields", "--tolerance", "1e-5", "--precision", "double"]
                alone = self.found("permeability", *self.alone, *options)
                core = self.found("permeability", *self.image, *options)
                own, other = (found["permeability"]["z"] for found in (core, alone))
                self.assertAlmostEqual(own["k_lattice"] / other["k_lattice"], 1, delta=1e-4)
                self.assertAlmostEqual(core["porosity"]["total"], self.porosity)
                self.assertEqual(core["porosity"]["percolating"]["z"], alone["porosity"]["percolating"]["z"])
                self.assertAlmostEqual(core["porosity"]["outside"], 1 - N ** 2 / (N + 2 * SIDE) ** 2)
                self.assertEqual(core["image"]["outside"], "0")
                if "--refine" in options:
                    finer, of_other = (axis["voxels"]["staircase_lattice"][0] for axis in (own, other))
                    self.assertAlmostEqual(finer / of_other, 1, delta=1e-3)

    def test_grey_values_may_be_outside(self):
        options = ["--threshold", "1..2", "--buffer-layers", "0", "--no-fields"]
        core = self.found("permeability", *self.image[:3], "--outside", "0", *options)
        alone = self.found("permeability", *self.alone[:3], *options)
        self.assertAlmostEqual(core["permeability"]["z"]["k_lattice"] / alone["permeability"]["z"]["k_lattice"], 1, delta=1e-3)
        for own, other in zip(*(f["permeability"]["z"]["segmentation"]["porosity"] for f in (core, alone))):
            self.assertAlmostEqual(own, other)

    def test_diffusion_and_phases_are_those_of_the_core(self):
        for options in ([], ["--conductivity", "1=1", "2=0.01"]):
            pore = 3 if options else 5
            core = self.found("diffusion", *self.image[:pore], "--outside", "0", *options, "--no-fields", "--tolerance", "1e-6")
            alone = self.found("diffusion", *self.alone[:pore], *options, "--no-fields", "--tolerance", "1e-6")
            own, other = (found["diffusion"]["z"] for found in (core, alone))
            for name in ("effective", "formation_factor", "tortuosity", "percolating_fraction"):
                self.assertAlmostEqual(own[name] / other[name], 1, delta=1e-5)
        phases = ["--phase", "water=1", "--solid", "2", "--buffer-layers", "0"]
        core = self.found("phases", *self.image[:3], "--outside", "0", *phases)["phases"]
        alone = self.found("phases", *self.alone[:3], *phases)["phases"]
        self.assertAlmostEqual(_first(core, "k_lattice") / _first(alone, "k_lattice"), 1, delta=1e-3)
        self.assertAlmostEqual(_first(core, "porosity"), _first(alone, "porosity"))

    def test_a_run_goes_on_with_the_same_sample_alone(self):
        """The same voxels flow, but k is that of another cross-section."""
        options = ["--solver", "steps", "--cores", "1", "--no-fields", "--axis", "z", "--out", "out"]
        run = self.tessera("permeability", *self.image[:5], "--solid", "0,2", *options, "--checkpoint", "60")
        self.assertEqual(run.returncode, DONE, run.stderr)
        run = self.tessera("permeability", *self.image, *options, "--resume")
        self.assertEqual(run.returncode, BAD_INPUT, run.stderr)
        self.assertIn("voxels outside", run.stderr)

    def test_cubes_lie_in_the_core(self):
        self.found("rev", *self.image, "--edges", "6", "--samples", "15")
        with open(self.path("out/rev.csv"), encoding="utf-8") as file:
            cubes = list(csv.DictReader(file))
        self.assertEqual(len(cubes), 15)
        for cube in cubes:
            self.assertTrue(all(SIDE <= int(cube[a]) <= SIDE + N - 6 for a in "xy"), cube)
        run = self.tessera("rev", *self.image, "--edges", "14", "--out", "none")
        self.assertEqual(run.returncode, BAD_INPUT)
        self.assertIn("--edges 14: expected", run.stderr)

    def test_info_says_the_porosity_of_the_core(self):
        run = self.tessera("info", *self.image)
        self.assertIn(f"porosity    {self.porosity:.6f}", run.stdout)

    def test_what_is_at_fault_is_said(self):
        for options, why in ((["--outside", "1"], "label 1 is named both pore (1) and outside (1)"),
                             (["--outside", "2", "--solid", "2"], "label 2 is named both solid (2) and outside (2)"),
                             (["--outside", "air"], "expected integers and ranges")):
            run = self.tessera("permeability", *self.alone, *options, "--out", "none")
            self.assertEqual(run.returncode, BAD_INPUT)
            self.assertIn(why, run.stderr)


def _first(found, name):
    """The first value of this name, however deep."""
    for key, value in (found.items() if isinstance(found, dict) else enumerate(found)):
        if key == name:
            return value
        if isinstance(value, (dict, list)) and (inner := _first(value, name)) is not None:
            return inner
    return None


if __name__ == "__main__":
    unittest.main()
