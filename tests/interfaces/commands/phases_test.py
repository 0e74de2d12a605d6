# SPDX-License-Identifier: MIT
"""tessera phases: relative permeabilities of fluids that stand still against each other."""

import csv
import unittest

from command import DONE, CommandTest

SOLID = 2


def layers(shape, label_of):
    """An image whose labels depend on z, as raw bytes, and its shape."""
    nx, ny, nz = shape
    return b"".join(bytes([label_of(z)]) * (nx * ny) for z in range(nz)), shape


class Phases(CommandTest):
    def phases(self, *options, status=DONE):
        done = self.tessera("phases", *options, "--out", "phases")
        self.assertEqual(done.returncode, status, done.stderr)
        with self.path("phases/phases.csv").open() as table:
            rows = {(row["phase"], row["axis"]): row for row in csv.DictReader(table)}
        results = self.results("phases")
        self.assertEqual([(p["phase"], p["axis"]) for p in results["phases"]], list(rows))
        return rows, results, done.stdout

    def test_layers_between_plates_have_the_permeabilities_of_their_heights(self):
        """k = (h^3 + h / 2) / (12 H), the mean of a parabola's values in the middle of the voxels."""
        def k(height):
            return (height ** 3 + height / 2) / (12 * 14)
        image = self.write_raw("layers.raw", layers((4, 4, 14), lambda z: 2 if z in (0, 13) else int(z > 4)))
        rows, results, said = self.phases(*image, "--phase", "water=0", "--phase", "oil=1", "--solid", 2, "--periodic",
                                          "--precision", "double", "--tolerance", "1e-11", "--voxel-size", "1um")
        for phase, height in ("all", 12), ("water", 4), ("oil", 8):
            row = rows[phase, "x"]
            self.assertAlmostEqual(float(row["k_lattice"]) / k(height), 1, places=9)
            self.assertAlmostEqual(float(row["k_relative"]), k(height) / k(12), places=9)
            self.assertAlmostEqual(float(row["saturation"]), height / 12, places=12)
            self.assertAlmostEqual(float(row["percolating_porosity"]), height / 14, places=12)
            self.assertAlmostEqual(float(row["k_mD"]) / (float(row["k_lattice"]) * 1e-12 / 9.869233e-16), 1, places=12)
        self.assertEqual(results["image"]["solid"], "2")
        self.assertRegex(said, r"oil +x +0\.6667 +1\.0000 +\S+ +0\.29758")

    def test_a_phase_has_the_permeability_of_an_image_of_it(self):
        shape = (16, 14, 12)
        labels = bytes((x * x + 2 * y * y + 3 * z * z + x * y) % 7 // 2 for z in range(shape[2]) for y in range(shape[1])
                       for x in range(shape[0]))
        image = self.write_raw("rock.raw", (labels, shape))
        rows, _, _ = self.phases(*image, "--phase", "water=0", "--phase", "oil=1,3", "--solid", "2", "--axis", "all")
        self.assertEqual(len(rows), 9)
        for phase, pore, solid in ("all", "0,1,3", "2"), ("oil", "1,3", "0,2"):
            alone = self.compute(*image, "--pore", pore, "--solid", solid, "--axis", "z", "--no-fields",
                                 "--solver", "minres")["permeability"]["z"]
            self.assertEqual(float(rows[phase, "z"]["k_lattice"]), alone["k_lattice"])
            self.assertEqual(int(rows[phase, "z"]["iterations"]), alone["steps"])
        self.assertAlmostEqual(float(rows["oil", "z"]["k_relative"]),
                               float(rows["oil", "z"]["k_lattice"]) / float(rows["all", "z"]["k_lattice"]), places=12)

    def test_a_phase_that_leads_nowhere_has_none(self):
        image = self.write_raw("layers.raw", layers((6, 6, 8), lambda z: z % 2))
        rows, _, _ = self.phases(*image, "--phase", "water=0", "--phase", "oil=1", "--solid", 2, "--axis", "z")
        self.assertEqual(rows["water", "z"]["state"], "closed")
        self.assertEqual(float(rows["water", "z"]["k_relative"]), 0)
        self.assertEqual(float(rows["all", "z"]["saturation"]), 1)

    def test_bad_input_is_one_line(self):
        image = self.write_raw("layers.raw", layers((4, 4, 6), lambda z: z // 2))
        for options, said in ((["--phase", "0", "--solid", "2"], "--phase 0: expected a name and its labels"),
                              (["--phase", "all=0", "--solid", "2"], "expected another name than all"),
                              (["--phase", "w=0", "--phase", "w=1", "--solid", "2"], "expected another name than w"),
                              (["--phase", "w=0,1", "--phase", "o=1", "--solid", "2"], "label 1 is of w as well"),
                              (["--phase", "w=0-2", "--solid", "2"], "label 2 is solid as well"),
                              (["--phase", "w=0", "--solid", "2"], "label 1 of layers.raw is neither pore nor solid"),
                              (["--phase", "w=0,1", "--phase", "o=7", "--solid", "2"], "no voxel of layers.raw")):
            self.assert_refused("phases", *image, *options, "--out", "out", says=said)


if __name__ == "__main__":
    unittest.main()
