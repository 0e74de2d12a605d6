# SPDX-License-Identifier: MIT
"""tessera permeability --grey: voxels with a permeability of their own."""

import math
import struct
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
        of_grey = [self.k_of("--grey", f"2={k}") for k in ("1e-6", "0.01", "0.3", "10", "1e5")]
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

    def write_values(self, name, value_of_label):
        """The rock as an image of permeabilities."""
        labels = self.path("rock.raw").read_bytes()
        self.write(name, struct.pack(f"<{len(labels)}f", *(value_of_label[label] for label in labels)))
        return [name, "--shape", "20,20,20", "--dtype", "float32"]

    def test_an_image_of_permeabilities_is_that_of_labels(self):
        by_labels = self.compute(*self.rock, "--no-fields", "--grey", "2=0.5")
        of_values = self.write_values("k.raw", {0: math.inf, 1: 0, 2: 0.5})
        found = self.compute(*of_values, "--no-fields", "--grey-values", "voxels")
        for part in "permeability", "porosity":
            self.assertEqual(found[part], by_labels[part])
        self.assertEqual(found["image"]["grey_values"],
                         {"unit": "voxels", "kinds": 1, "rounding": 0, "range_lattice": [0.5, 0.5]})
        self.assertIsNone(found["image"]["pore"])
        # Other words for pores and solid, and a unit.
        edge = 2e-6
        in_md = 0.5 * edge ** 2 / MILLIDARCY
        of_values = self.write_values("k_mD.raw", {0: -1, 1: -2, 2: in_md})
        found = self.compute(*of_values, "--no-fields", "--grey-values", "mD", "--voxel-size", "2um", "--pore", "-1", "--solid", "-2")
        self.assertAlmostEqual(found["permeability"]["x"]["k_lattice"] / by_labels["permeability"]["x"]["k_lattice"], 1, delta=1e-6)
        rev = ["--edges", "12", "--samples", "2", "--out", "out"]
        self.assertEqual(self.tessera("rev", *self.rock, "--grey", "2=0.5", *rev).returncode, DONE)
        csv = self.path("out/rev.csv").read_text()
        self.assertEqual(self.tessera("rev", "k.raw", "--shape", "20,20,20", "--dtype", "float32", "--grey-values", "voxels", *rev).returncode, DONE)
        self.assertEqual(self.path("out/rev.csv").read_text(), csv)

    def test_many_permeabilities_are_rounded_to_steps_and_it_is_said_how_much(self):
        # Layers in series from 1e-3 to 1: more kinds than an image of labels has.
        layers, across = 300, 2
        values = [10 ** (-3 + 3 * z / (layers - 1)) for z in range(layers)]
        self.write("layers.raw", struct.pack(f"<{layers * across ** 2}d", *(v for v in values for _ in range(across ** 2))))
        found = self.compute("layers.raw", "--shape", f"{across},{across},{layers}", "--dtype", "float64", "--axis", "z", "--periodic",
                             "--grey-values", "voxels", "--tolerance", "1e-4", "--no-fields")
        said = found["image"]["grey_values"]
        self.assertEqual(said["kinds"], 253)
        self.assertAlmostEqual(said["rounding"], 10 ** (3 / 253 / 2) - 1, places=6)
        for end, exact in zip(said["range_lattice"], (1e-3, 1)):
            self.assertAlmostEqual(end / exact, 1, places=9)
        exact = layers / sum(1 / v for v in values)
        self.assertAlmostEqual(found["permeability"]["z"]["k_lattice"] / exact, 1, delta=said["rounding"])

    def test_a_block_of_one_kind_has_its_permeability_up_to_its_sides(self):
        self.write("block.raw", b"\2" * 16 ** 3)
        block = ["block.raw", "--shape", "16,16,16", "--no-fields", "--mirror", "--tolerance", "1e-5"]
        for k in 1e-4, 0.01:
            found = self.compute(*block, "--grey", f"2={k}")["permeability"]["x"]["k_lattice"]
            self.assertAlmostEqual(found / (k * (1 - 2 * math.sqrt(k) / 16) ** 2), 1, delta=5e-3)
        stepped = self.compute(*block, "--grey", "2=0.01", "--solver", "steps")["permeability"]["x"]["k_lattice"]
        self.assertAlmostEqual(stepped / found, 1, delta=1e-4)

    def test_what_no_voxel_has_is_said(self):
        run = self.tessera("permeability", *self.rock, "--grey", "2=0.1", "7=0.1", "--no-fields", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertIn("tessera: --grey 7: no voxel has such a label\n", run.stderr)

    def test_porosities_of_cubes_are_those_of_open_pores(self):
        run = self.tessera("rev", *self.rock, "--grey", "2=0.1", "--edges", "20", "--samples", "1", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertAlmostEqual(self.results()["porosity"], self.open)
        self.assertAlmostEqual(self.results()["rev"]["statistics"][0]["porosity"], self.open)

    def test_what_is_at_fault_in_an_image_of_permeabilities_is_said(self):
        grey = ["--grey-values", "mD", "--voxel-size", "2um"]
        for value, options, why in ((math.nan, grey, "a voxel has the value nan: expected permeabilities, 0 for solid"),
                                    (-3, grey, "a voxel has the value -3: expected permeabilities"),
                                    (1e12, grey, "expected 1e-06 to 100000"),
                                    (5, ["--grey-values", "mD"], "expected the edge of a voxel, too"),
                                    (5, ["--grey-values", "um"], "--grey-values um: expected a unit of permeabilities"),
                                    (5, [*grey, "--grey", "2=1mD"], "--grey with --grey-values: expected one of the two"),
                                    (5, [*grey, "--threshold", "1"], "--threshold with --grey-values"),
                                    (5, [*grey, "--slip"], "--slip with --grey-values"),
                                    (5, [*grey, "--refine", "2"], "--refine with --grey-values")):
            of_values = self.write_values("k.raw", {0: math.inf, 1: 0, 2: value})
            self.assert_refused("permeability", *of_values, *options, "--out", "no", says=why)
        self.assert_refused("rev", *of_values, *grey, "--diffusion", "--edges", "8", "--out", "no", says="--grey-values: expected conductivities")

    def test_porous_spheres_have_brinkmans_drag(self):
        """Appl. Sci. Res. A 1 (1949) 27, in a simple cubic array: Hasimoto, J. Fluid Mech. 5 (1959) 317. Left out are terms of the
        order of the solid fraction, 0.4 %, and what voxels make of a sphere; 1 % of this k is 2 % of the sphere's."""
        n = 32
        middle = (n - 1) / 2
        sphere = bytes(2 * ((x - middle) ** 2 + (y - middle) ** 2 + (z - middle) ** 2 < (0.1 * n) ** 2)
                       for z in range(n) for y in range(n) for x in range(n))
        self.write("sphere.raw", sphere)
        radius = (3 / (4 * math.pi) * sphere.count(2)) ** (1 / 3)
        for k in (1, 16):
            found = self.compute("sphere.raw", "--shape", "32,32,32", "--periodic", "--no-fields", "--grey", f"2={k}")
            b = radius / math.sqrt(k)
            t = 1 - math.tanh(b) / b
            of_drag = radius * 2 * b ** 2 * t / (2 * b ** 2 + 3 * t)
            expected = n ** 3 / (6 * math.pi * of_drag) * (1 - 1.760119 * (4 * math.pi / 3) ** (1 / 3) * of_drag / n)
            self.assertAlmostEqual(found["permeability"]["x"]["k_lattice"] / expected, 1, delta=0.01)

    def test_a_run_goes_on_with_the_same_grey_voxels_alone(self):
        minres = ["--solver", "minres", "--cores", "1"]
        whole = self.k_of("--grey", "2=0.01", *minres)
        self.compute(*self.rock, "--no-fields", "--grey", "2=0.01", *minres, "--max-steps", "10", "--checkpoint", "60",
                     status=NOT_CONVERGED)
        resumed = self.compute(*self.rock, "--no-fields", "--grey", "2=0.01", *minres, "--resume")
        self.assertEqual(resumed["permeability"]["x"]["k_lattice"], whole)
        run = self.tessera("permeability", *self.rock, "--no-fields", "--grey", "2=0.02", *minres, "--resume", "--out", "out")
        self.assertEqual(run.returncode, BAD_INPUT, run.stderr)

    def test_what_is_at_fault_is_said(self):
        for options, why in ((["2=5mD"], "expected the edge of a voxel, too"), (["2"], "expected labels and their permeability"),
                             (["2=-1"], "expected labels and their permeability"), (["2=3um"], "expected labels and their"),
                             (["2=1e-9"], "expected 1e-06 to 100000"), (["2=0.1", "2=0.3"], "label 2 has another grey as well"),
                             (["1,2=0.1", "--solid", "1"], "label 1 is named both grey"),
                             (["2=0.1", "--solver", "steps", "--relaxation-time", "0.8"], "its relaxation time is 1"),
                             (["2=0.1", "--solver", "steps", "--precision", "half"], "expected single or double"),
                             (["2=0.1", "--precision", "double"], "--precision double with --grey"),
                             (["2=0.1", "--refine", "2"], "--refine with --grey"),
                             (["2=0.1", "--threshold", "1"], "--threshold with --grey"),
                             (["2=0.1", "--collision", "mrt"], "--grey: such a flow is solved for by minres")):
            self.assert_refused("permeability", *self.rock, "--grey", *options, "--out", "no", says=why)


if __name__ == "__main__":
    unittest.main()
