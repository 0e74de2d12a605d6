# SPDX-License-Identifier: MIT
"""tessera permeability --grey: voxels with a permeability of their own."""

import math
import unittest

from command import BAD_INPUT, DONE, NOT_CONVERGED, CommandTest

MILLIDARCY = 9.869233e-16  # m^2


class GreyVoxels(CommandTest):
    def setUp(self):
        super().setUp()
        # Pores (0), solid (1) and porous voxels (2) in boxes of 4 voxels.
        n = 20
        labels = bytes((0, 0, 2, 0, 1)[(7 * (x // 4) + 3 * (y // 4) ** 2 + 5 * (z // 4)) % 5]
                       for z in range(n) for y in range(n) for x in range(n))
        self.write("rock.raw", labels)
        self.rock = ["rock.raw", "--shape", "20,20,20"]
        self.grey = labels.count(2) / n ** 3
        self.open = labels.count(0) / n ** 3

    def k_of(self, *options):
        return self.compute(*self.rock, "--no-fields", *options)["permeability"]["x"]["k_lattice"]

    def test_k_lies_between_that_of_solid_and_that_of_pores(self):
        closed = self.k_of("--solid", "1,2")
        opened = self.k_of("--pore", "0,2")
        of_grey = [self.k_of("--grey", f"2={k}") for k in ("1e-6", "0.01", "0.3", "10", "1e6")]
        self.assertEqual(sorted([closed, *of_grey, opened]), [closed, *of_grey, opened])
        self.assertAlmostEqual(of_grey[0] / closed, 1, delta=2e-3)
        self.assertAlmostEqual(of_grey[-1] / opened, 1, delta=2e-3)

    def test_steps_find_the_same_flow(self):
        steps = ["--solver", "steps", "--cores", "1"]
        for k, options in (("0.05", []), ("0.3", ["--periodic"]), ("5", ["--mirror"])):
            grey = ["--grey", f"2={k}", *options]
            solved = self.k_of(*grey, "--tolerance", "1e-5")
            stepped = self.compute(*self.rock, "--no-fields", *grey, *steps, "--tolerance", "1e-4",
                                   "--precision", "double")["permeability"]["x"]
            self.assertAlmostEqual(stepped["k_lattice"] / solved, 1, delta=2e-5)
            self.assertAlmostEqual(stepped["force_balance"], 1, delta=1e-5)
        tiles = [self.k_of("--grey", "2=0.3", *steps, "--tiles", number) for number in ("1", "6")]
        self.assertEqual(*tiles)

    def test_steps_find_the_same_velocities(self):
        import h5py  # Debian's
        import numpy
        fields = []
        for solver in ("minres", "steps"):
            self.compute(*self.rock, "--grey", "2=0.3", "--solver", solver)
            with h5py.File(self.path("out/fields.vtkhdf")) as file:
                fields.append(file["VTKHDF/PointData/velocity"][()])
        self.assertLess(numpy.abs(fields[1] - fields[0]).max() / numpy.abs(fields[0]).max(), 2e-3)

    def test_units_and_porosities_are_said(self):
        edge = 2e-6
        run = self.tessera("permeability", *self.rock, "--grey", "2=5mD", "--voxel-size", "2um", "--no-fields", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertIn(f"porosity {self.open:.6f} and {self.grey:.6f} grey\n", run.stdout)
        found = self.results()
        self.assertAlmostEqual(found["porosity"]["total"], self.open)
        self.assertAlmostEqual(found["porosity"]["grey"], self.grey)
        self.assertAlmostEqual(found["image"]["grey"]["2"]["k_mD"], 5)
        lattice = found["image"]["grey"]["2"]["k_lattice"]
        self.assertAlmostEqual(lattice / (5 * MILLIDARCY / edge ** 2), 1)
        self.assertEqual(found["permeability"]["x"]["solver"]["name"], "minres")
        k = found["permeability"]["x"]["k_lattice"]
        for text in (f"2={5 * MILLIDARCY!r} m2", f"2={lattice!r}", "2=0.005D"):
            self.assertAlmostEqual(self.k_of("--grey", text, "--voxel-size", "2um") / k, 1, delta=1e-6)

    def test_several_kinds_are_layers_in_series(self):
        self.write("layers.raw", b"".join(bytes([2 + z // 2 % 2]) * 36 for z in range(8)))
        run = self.tessera("permeability", "layers.raw", "--shape", "6,6,8", "--axis", "z", "--periodic", "--grey", "2=0.01",
                           "3=1e-4", "--tolerance", "1e-6", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        found = self.results()
        self.assertAlmostEqual(found["permeability"]["z"]["k_lattice"] / (2 / (1 / 0.01 + 1 / 1e-4)), 1, delta=2e-6)
        self.assertEqual(found["porosity"]["total"], 0)
        self.assertTrue(math.isfinite(found["permeability"]["z"]["reynolds"]))
        import h5py  # Debian's
        with h5py.File(self.path("out/fields.vtkhdf")) as file:
            velocity = file["VTKHDF/PointData/velocity"][()][..., 2]
        self.assertAlmostEqual(velocity.min() / velocity.max(), 1, delta=1e-3)  # the same through each layer

    def test_a_run_goes_on_with_the_same_grey_voxels_alone(self):
        whole = self.k_of("--grey", "2=0.01", "--cores", "1")
        self.compute(*self.rock, "--no-fields", "--grey", "2=0.01", "--cores", "1", "--max-steps", "10", "--checkpoint", "60",
                     status=NOT_CONVERGED)
        resumed = self.compute(*self.rock, "--no-fields", "--grey", "2=0.01", "--cores", "1", "--resume")
        self.assertEqual(resumed["permeability"]["x"]["k_lattice"], whole)
        run = self.tessera("permeability", *self.rock, "--no-fields", "--grey", "2=0.02", "--cores", "1", "--resume", "--out", "out")
        self.assertEqual(run.returncode, BAD_INPUT, run.stderr)

    def test_what_is_at_fault_is_said(self):
        for options, why in ((["2=5mD"], "expected the edge of a voxel, too"), (["2"], "expected labels and their permeability"),
                             (["2=-1"], "expected labels and their permeability"), (["2=3um"], "expected labels and their"),
                             (["2=1e-9"], "expected 1e-06 to 1e+06"), (["2=0.1", "2=0.3"], "label 2 has another grey as well"),
                             (["1,2=0.1", "--solid", "1"], "label 1 is named both grey"),
                             (["2=0.1", "--solver", "steps", "--relaxation-time", "0.8"], "its relaxation time is 1"),
                             (["2=0.1", "--solver", "steps", "--precision", "half"], "expected single or double"),
                             (["2=0.1", "--tiles", "4"], "expected --solver steps"),
                             (["2=0.1", "--precision", "double"], "--precision double with --grey"),
                             (["2=0.1", "--refine", "2"], "--refine with --grey"),
                             (["2=0.1", "--threshold", "1"], "--threshold with --grey"),
                             (["2=0.1", "--collision", "mrt"], "--grey: such a flow is solved for by minres")):
            self.assert_refused("permeability", *self.rock, "--grey", *options, "--out", "no", says=why)


if __name__ == "__main__":
    unittest.main()
