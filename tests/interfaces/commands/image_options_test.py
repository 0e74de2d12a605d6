# SPDX-License-Identifier: MIT
"""Ways to say what an image is: whichever is taken, the same pores give the same permeability."""

import gzip
import re
import struct
import unittest

from command import DONE, CommandTest, bent_pores, voxels


class SamePores(CommandTest):
    def setUp(self):
        super().setUp()
        self.content, self.shape = bent_pores()
        self.shape_option = ["--shape", ",".join(map(str, self.shape))]
        self.expected = self.permeability(self.write("labels.raw", self.content),
                                          *self.shape_option)

    def permeability(self, *arguments):
        return self.compute(*arguments, "--no-fields")["permeability"]

    def assert_same(self, *arguments):
        self.assertEqual(self.permeability(*arguments), self.expected)

    def recoded(self, pore, solid):
        return bytes(solid if label else pore for label in self.content)

    def test_every_coding_of_two_labels_is_read_right(self):
        for pore, solid in (0, 1), (1, 0), (0, 255), (255, 0):
            image = self.write("coded.raw", self.recoded(pore, solid))
            self.assert_same(image, *self.shape_option, "--pore", pore)
            self.assert_same(image, *self.shape_option, "--pore", pore, "--solid", solid)

    def test_several_labels_may_be_pore_or_solid(self):
        labels = bytes(2 + i % 3 if label else i % 2
                       for i, label in enumerate(self.content))
        self.assert_same(self.write("five.raw", labels), *self.shape_option, "--pore", "0,1",
                         "--solid", "2-4")

    def test_a_threshold_divides_grey_values(self):
        grey = bytes(150 + i % 100 if label else i % 150 for i, label in enumerate(self.content))
        dark = self.write("dark.raw", grey)
        self.assert_same(dark, *self.shape_option, "--threshold", "150")
        self.assert_same(dark, *self.shape_option, "--threshold", "<=149")
        bright = self.write("bright.raw", bytes(255 - g for g in grey))
        self.assert_same(bright, *self.shape_option, "--threshold", ">105")

    def test_wider_voxels_of_both_byte_orders_are_read(self):
        for dtype, code in (("int16", "<{}h"), ("uint16-be", ">{}H"), ("int32-be", ">{}i"),
                            ("float32", "<{}f"), ("float64-be", ">{}d")):
            with self.subTest(dtype=dtype):
                image = self.write("wide.raw", struct.pack(code.format(len(self.content)),
                                                           *self.content))
                self.assert_same(image, *self.shape_option, "--dtype", dtype)

    def test_a_header_is_skipped(self):
        self.assert_same(self.write("header.raw", b"head" * 3 + self.content), *self.shape_option,
                         "--header-bytes", "12")

    def test_a_gzipped_image_is_unpacked(self):
        self.assert_same(self.write("labels.raw.gz", gzip.compress(self.content)),
                         *self.shape_option)

    def test_a_crop_is_the_image_that_it_leaves(self):
        nx, ny, nz = self.shape
        nx, ny = nx + 3, ny + 2  # pores all around: 1 and 2 layers along x, 2 and 0, 0 and 4
        inside = iter(self.content)
        padded = bytearray(nx * ny * (nz + 4))
        for z in range(nz):
            for y in range(2, ny):
                for x in range(1, nx - 2):
                    padded[x + nx * (y + ny * z)] = next(inside)
        self.assert_same(self.write("padded.raw", bytes(padded)), "--shape", f"{nx},{ny},{nz + 4}",
                         "--crop", f"1:{nx - 2},2:{ny},0:{nz}")

    def test_a_file_of_other_axes_gives_the_same_along_the_axis_that_it_means(self):
        nx, ny, nz = self.shape
        results = self.compute("labels.raw", "--shape", f"{nz},{ny},{nx}", "--axes", "zyx",
                               "--axis", "z", "--no-fields")
        self.assertEqual(results["image"]["shape"], [nz, ny, nx])
        self.assertAlmostEqual(results["permeability"]["z"]["k_lattice"] /
                               self.expected["x"]["k_lattice"], 1, delta=1e-5)
        turned = bytes(self.content[x + nx * (y + ny * z)]
                       for x in range(nx) for y in range(ny) for z in range(nz))
        self.assert_same(self.write("turned.raw", turned), *self.shape_option, "--axes", "zyx")

    def test_a_path_may_have_spaces_and_letters_of_any_language(self):
        self.path("a b").mkdir()
        name = "a b/żółty kamień.raw"
        self.write(name, self.content)
        results = self.compute(name, *self.shape_option, "--no-fields")
        self.assertEqual(results["permeability"], self.expected)
        self.assertEqual(results["image"]["path"], name)


class Info(CommandTest):
    def info(self, *arguments):
        run = self.tessera("info", *arguments)
        self.assertEqual((run.returncode, run.stderr), (DONE, ""))
        return run.stdout

    def test_labels_and_both_counts_of_components_are_printed(self):
        # Two rods along x that touch along an edge only.
        rods = voxels((4, 4, 4), lambda x, y, z: (y, z) not in ((1, 1), (2, 2)))
        text = self.info(*self.write_raw("rods.raw", (rods, (4, 4, 4))))
        self.assertRegex(text, r"(?m)^ +0 +8 +12\.500%$")
        self.assertRegex(text, r"(?m)^ +1 +56 +87\.500%$")
        self.assertIn("porosity    0.125000 (8 pore voxels)", text)
        through = r"0\.125000 +0\.000000 +0\.000000"
        self.assertRegex(text, r"faces and edges \(18\) +1 +" + through)
        self.assertRegex(text, r"faces only \(6\) +2 +" + through)

    def test_the_hash_is_that_of_the_file(self):
        self.assertIn("6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                      self.info(*self.write_raw("one.raw", (b"\0", (1, 1, 1)))))

    def test_a_grey_image_shows_its_values_and_asks_for_a_threshold(self):
        image = self.write_raw("grey.raw", (bytes(range(256)) * 2, (8, 8, 8)))
        run = self.tessera("info", *image)
        self.assertEqual(run.returncode, 2)
        self.assertTrue(re.search("distinct +256", run.stdout) and "median" in run.stdout)
        self.assertRegex(run.stderr, r"\Atessera: [^\n]*--threshold[^\n]*\n\Z")
        self.assertIn("porosity    0.468750", self.info(*image, "--threshold", "120"))


if __name__ == "__main__":
    unittest.main()
