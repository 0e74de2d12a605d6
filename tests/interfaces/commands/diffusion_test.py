# SPDX-License-Identifier: MIT
"""tessera diffusion: effective conductivities of images."""

import struct
import unittest

from command import BAD_INPUT, DONE, MPIRUN, NOT_CONVERGED, CommandTest, bent_pores, tube


def layers(shape, label_of):
    """An image whose labels depend on z, as raw bytes, and its shape."""
    nx, ny, nz = shape
    return b"".join(bytes([label_of(z)]) * (nx * ny) for z in range(nz)), shape


class Diffusion(CommandTest):
    def diffusion(self, *arguments, status=DONE):
        run = self.tessera("diffusion", *arguments, "--out", "out")
        self.assertEqual(run.returncode, status, run.stderr)
        return self.results(), run.stdout

    def test_layers_conduct_in_series_across_and_beside_each_other_along(self):
        image = self.write_raw("layers.raw", layers((5, 4, 12), lambda z: z % 4))
        conducts = [word for text in ("0=1", "1=0.1", "2-3=0.3") for word in ("--conductivity", text)]
        for ends in [], ["--periodic"]:
            found, said = self.diffusion(*image, *conducts, "--axis", "all", "--tolerance", "1e-11", "--no-fields", *ends)
            across = 4 / (1 + 1 / 0.1 + 2 / 0.3)
            along = (1 + 0.1 + 2 * 0.3) / 4
            for axis, exact in ("x", along), ("y", along), ("z", across):
                answer = found["diffusion"][axis]
                self.assertAlmostEqual(answer["effective"] / exact, 1, places=10)
                self.assertAlmostEqual(answer["formation_factor"] * exact, 1, places=9)
                self.assertAlmostEqual(answer["tortuosity"] * exact / along, 1, places=9)
                self.assertIs(answer["converged"], True)
            self.assertAlmostEqual(found["mean_conductivity"], along, places=12)
            self.assertEqual(found["setup"]["conductivities"], {"0": 1, "1": 0.1, "2-3": 0.3})
            self.assertIsNone(found["image"]["pore"])
            self.assertIn(f"along z: effective conductivity {across:.6g}", said)
        self.assertAlmostEqual(found["diffusion"]["z"]["column"][2] / across, 1, places=5)
        self.assertAlmostEqual(found["diffusion"]["z"]["column"][0], 0, places=5)

    def test_values_conduct_what_they_say(self):
        nx, ny, nz = 4, 3, 5
        values = [0.1 * (1 + z) for z in range(nz) for _ in range(nx * ny)]
        self.write("field.raw", struct.pack(f"<{len(values)}d", *values))
        found, _ = self.diffusion("field.raw", "--shape", f"{nx},{ny},{nz}", "--dtype", "float64", "--values-conduct",
                                  "--axis", "z", "--tolerance", "1e-11", "--diffusivity", "2e-9", "--voxel-size", "1um",
                                  "--no-fields")
        exact = nz / sum(1 / (0.1 * (1 + z)) for z in range(nz))
        self.assertAlmostEqual(found["diffusion"]["z"]["effective"] / exact, 1, places=10)
        self.assertAlmostEqual(found["diffusion"]["z"]["effective_m2_s"] / (2e-9 * exact), 1, places=10)

    def test_voxels_need_not_be_cubes(self):
        content, shape = bent_pores()
        image = self.write_raw("pores.raw", (content, shape))
        solve = ["--tolerance", "1e-11", "--fields-format", "npz"]
        along_z, _ = self.diffusion(*image, "--axis", "z", "--voxel-size", "1um,2um,5um", *solve)
        along_x, _ = self.diffusion("pores.raw", "--shape", ",".join(map(str, reversed(shape))), "--axes", "zyx", "--axis", "x",
                                    "--voxel-size", "5um,2um,1um", *solve)
        cubes, _ = self.diffusion(*image, "--axis", "z", "--voxel-size", "5um", *solve)
        found = along_z["diffusion"]["z"]["effective"]
        self.assertAlmostEqual(along_x["diffusion"]["x"]["effective"] / found, 1, places=9)
        self.assertNotAlmostEqual(cubes["diffusion"]["z"]["effective"] / found, 1, places=2)
        for edge, exact in zip(along_z["setup"]["voxel_edges_m"], (1e-6, 2e-6, 5e-6)):
            self.assertAlmostEqual(edge / exact, 1, places=12)
        header = (f"ObjectType = Image\nNDims = 3\nDimSize = {shape[0]} {shape[1]} {shape[2]}\n"
                  "ElementSpacing = 0.001 0.002 0.005\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n")
        self.write("pores.mha", header.encode() + content)
        of_file, _ = self.diffusion("pores.mha", "--axis", "z", *solve)
        self.assertAlmostEqual(of_file["diffusion"]["z"]["effective"] / found, 1, places=9)
        self.assert_refused("diffusion", *image, "--voxel-size", "1um,2um", "--out", "no", says="expected an edge for all axes")

    def test_what_leads_nowhere_conducts_nothing(self):
        """A tube and a pore beside it: 16 of 36 voxels of the cross-section conduct, straight on."""
        content, shape = tube()
        content = bytearray(content)
        content[0] = 0
        image = self.write_raw("tube.raw", (bytes(content), shape))
        found, _ = self.diffusion(*image, "--solid", "1", "--fields-format", "npz")
        answer = found["diffusion"]["x"]
        self.assertAlmostEqual(answer["effective"], 16 / 36, places=12)
        self.assertAlmostEqual(answer["percolating_fraction"], 16 / 36, places=12)
        self.assertAlmostEqual(found["conducting_fraction"], 16 / 36 + 1 / 288, places=12)
        self.assertAlmostEqual(answer["tortuosity"], 1 + 1 / 128, places=10)
        self.assertEqual(self.files()[:3], ["out", "out/fields.npz", "out/results.json"])

    def test_faces_lead_through_and_edges_do_not(self):
        content = bytearray(64)
        for i in range(64):
            x, y = i % 4, i // 4 % 4
            content[i] = 0 if x == y else 1
        image = self.write_raw("diagonal.raw", (bytes(content), (4, 4, 4)))
        self.assert_refused("diffusion", *image, "--out", "out",
                            says="nothing that conducts leads through diagonal.raw along x: expected a connected path of "
                                 "voxels (through faces)")

    def test_refining_says_what_the_voxels_leave_open(self):
        # A tube with a square section is its own staircase: only where its walls lie is left open.
        image = self.write_raw("tube.raw", tube())
        found, said = self.diffusion(*image, "--refine", "3", "--tolerance", "1e-6", "--no-fields")
        voxels = found["diffusion"]["x"]["voxels"]
        self.assertEqual(voxels["factor"], 3)
        for finer in voxels["staircase"]:
            self.assertAlmostEqual(finer, 16 / 36, places=6)
        doubt = 3 * voxels["pore_volume_doubt"]
        self.assertGreater(doubt, 0.05)
        self.assertAlmostEqual(voxels["lower"] / (16 / 36), 1 - doubt, places=5)
        self.assertAlmostEqual(voxels["upper"] / (16 / 36), 1 + doubt, places=5)
        self.assertIn("along x: the voxels leave ", said)
        # A staircase conducts more than its voxels; a conductivity of the pores scales all of it.
        image = self.write_raw("pores.raw", bent_pores())
        once, _ = self.diffusion(*image, "--refine", "2", "--no-fields", "--tolerance", "1e-6")
        tripled, _ = self.diffusion(*image, "--refine", "2", "--no-fields", "--tolerance", "1e-6", "--conductivity", "0=3",
                                    "--conductivity", "1=0")
        once, tripled = (of["diffusion"]["x"]["voxels"] for of in (once, tripled))
        for name in "lower", "upper":
            self.assertAlmostEqual(tripled[name] / once[name], 3, places=6)
        self.assertLess(once["lower"], once["staircase"][0])
        self.assertLess(once["staircase"][0], once["upper"])

    def test_a_run_that_may_not_go_on_says_so(self):
        image = self.write_raw("pores.raw", bent_pores())
        found, said = self.diffusion(*image, "--tolerance", "1e-9", "--max-iterations", "2", status=NOT_CONVERGED)
        self.assertIs(found["diffusion"]["x"]["converged"], False)
        self.assertIn("not converged", said)

    def test_conduction_is_another_name_for_it(self):
        image = self.write_raw("tube.raw", tube())
        run = self.tessera("conduction", *image, "--no-fields", "--quiet", "--out", "out")
        self.assertEqual((run.returncode, run.stdout, run.stderr), (DONE, "", ""))
        self.assertAlmostEqual(self.results()["diffusion"]["x"]["effective"], 16 / 36, places=12)

    @unittest.skipUnless(MPIRUN, "no mpirun")
    def test_several_processes_have_the_bits_of_one(self):
        """Rank 0 computes alone, or each process with a core of its own."""
        image = self.write_raw("pores.raw", bent_pores())
        words = [*image, "--axis", "all", "--fields-format", "npz", "--periodic"]
        alone, _ = self.diffusion(*words, "--cores", "1")
        fields = [self.path(f"out/fields-{axis}.npz").read_bytes() for axis in "xyz"]
        for own in [], ["--cores", "1"]:
            run = self.tessera("diffusion", *words, *own, "--out", "out",
                               launcher=["mpirun", "--oversubscribe", "--bind-to", "none", "-np", "3"])
            self.assertEqual(run.returncode, DONE, run.stderr)
            for axis in "xyz":
                found, exact = (of["diffusion"][axis] for of in (self.results(), alone))
                clock = {"seconds": 0, "set_up_seconds": 0}
                self.assertEqual({**found, **clock}, {**exact, **clock})
            self.assertEqual([self.path(f"out/fields-{axis}.npz").read_bytes() for axis in "xyz"], fields)

    def test_bad_input_is_one_line(self):
        image = self.write_raw("layers.raw", layers((4, 4, 6), lambda z: z // 2))
        for options, said in (
                (["--conductivity", "0=1"], "layers.raw: label 1 has no conductivity: expected one of each"),
                (["--conductivity", "0"], "--conductivity 0: expected labels and what they conduct"),
                (["--conductivity", "0=-1"], "--conductivity 0=-1: expected labels and what they conduct"),
                (["--conductivity", "0=nan"], "--conductivity 0=nan: expected"),
                (["--conductivity", "0=1x"], "--conductivity 0=1x: expected"),
                (["--conductivity", "0=1e300"], "--conductivity 0=1e300: expected"),
                (["--conductivity", "a=1"], "a"),
                (["--conductivity", "0-1=1", "--conductivity", "1=2"], "label 1 has another conductivity as well"),
                (["--conductivity", "0-2=0"], "layers.raw: no voxel conducts: expected one at least"),
                (["--conductivity", "0-2=1", "--pore", "1"], "expected what conducts to be said in one way"),
                (["--conductivity", "0-2=1", "--tolerance", "0"], "tolerance"),
                (["--conductivity", "0-2=1", "--max-iterations", "0"], "--max-iterations 0: expected at least 1"),
                (["--conductivity", "0-2=1", "--diffusivity", "-1"], "--diffusivity"),
                (["--conductivity", "0-2=1", "--fields-format", "png"], "--fields-format png: expected"),
                (["--conductivity", "0-2=1", "--refine", "4"], "--refine 4: expected 2 or 3"),
                (["--conductivity", "0=1", "1-2=0.5", "--refine", "2"], "--refine 2: expected one conductivity of all that conducts"),
                (["--conductivity", "0-1=1", "2=0", "--refine", "2", "--periodic"], "--refine 2: expected open ends"),
                (["--conductivity", "0-1=1", "2=0", "--refine", "2", "--voxel-size", "1um,1um,2um"],
                 "--refine 2: expected voxels that are cubes"),
                (["--conductivity", "0-2=1", "--axis", "w"], "--axis w: expected")):
            with self.subTest(options):
                self.assert_refused("diffusion", *image, *options, "--out", "out", says=said)
        self.write("field.raw", struct.pack("<8d", 1, 2, 3, 4, 5, float("nan"), 7, 8))
        self.assert_refused("diffusion", "field.raw", "--shape", "2,2,2", "--dtype", "float64", "--values-conduct",
                            "--out", "out", says="field.raw: a voxel has the value nan: expected conductivities")
        self.assert_refused("diffusion", "none.raw", "--shape", "2,2,2", "--out", "out", says="none.raw")
        self.assertEqual(self.tessera("diffusion", *image, "--pore", "0-2").returncode, BAD_INPUT)


if __name__ == "__main__":
    unittest.main()
