# SPDX-License-Identifier: MIT
"""Bad input is refused with one line and exit status 2, and leaves nothing behind."""

import struct
import unittest

from command import CommandTest, bent_pores, tiff, tube, voxels

WRONG_NUMBERS = ["-1", "0", "nan", "word", ""]


class BadImage(CommandTest):
    def refuse(self, image, *arguments, says=""):
        self.assert_refused("permeability", image, *arguments, "--out", "out", says=says)

    def test_a_missing_file_is_refused(self):
        self.refuse("no-such.raw", "--shape", "8,8,8", says="no-such.raw: no such file")

    def test_an_empty_file_is_refused(self):
        self.refuse(self.write("empty.raw", b""), "--shape", "8,8,8", says="empty")

    def test_a_truncated_raw_image_is_refused(self):
        self.refuse(self.write("short.raw", bytes(511)), "--shape", "8,8,8",
                    says="truncated: 511 bytes")

    def test_an_oversized_raw_image_is_refused(self):
        self.refuse(self.write("long.raw", bytes(513)), "--shape", "8,8,8",
                    says="oversized: 513 bytes")

    def test_a_raw_image_without_a_shape_is_refused_with_a_guess(self):
        self.refuse(self.write("cube.raw", bytes(512)), says="8,8,8")

    def test_an_unknown_voxel_type_is_refused(self):
        self.refuse(self.write("cube.raw", bytes(512)), "--shape", "8,8,8", "--dtype", "float16",
                    says="float16")

    def test_a_colour_tiff_is_refused(self):
        self.refuse(self.write("colour.tif", tiff(8, 8, photometric=2, samples=3)),
                    says="colour.tif")

    def test_a_truncated_tiff_is_refused(self):
        self.refuse(self.write("cut.tif", tiff(8, 8, photometric=1, samples=1)[:-40]),
                    says="cut.tif")

    def test_the_shape_of_a_tiff_is_checked(self):
        self.refuse(self.write("grey.tif", tiff(8, 8, photometric=1, samples=1)),
                    "--shape", "8,8,8", says="8 x 8 x 1")

    def test_a_format_that_is_not_read_is_named(self):
        self.refuse(self.write("image.png", b"\x89PNG\r\n\x1a\n"), says="PNG")

    def test_a_voxel_that_is_not_a_number_is_refused(self):
        image = self.write("nan.raw", struct.pack("<8f", 0, 1, float("nan"), 0, 0, 1, 0, 0))
        arguments = ["--shape", "2,2,2", "--dtype", "float32"]
        self.refuse(image, *arguments, says="not a number")
        self.refuse(image, *arguments, "--threshold", "0.5", says="not a number")

    def test_an_unnamed_label_is_refused_with_the_histogram(self):
        image = self.write("three.raw", bytes([0, 1, 2, 2]) * 128)
        self.refuse(image, "--shape", "8,8,8", says="0: 128, 1: 128, 2: 256")

    def test_a_grey_image_is_told_of_the_threshold(self):
        self.refuse(self.write("grey.raw", bytes(range(256)) * 2), "--shape", "8,8,8",
                    says="--threshold")

    def test_an_image_without_pores_is_refused(self):
        self.refuse(self.write("solid.raw", b"\1" * 512), "--shape", "8,8,8", says="pore")

    def test_a_periodic_image_without_solid_is_refused(self):
        self.refuse(self.write("pore.raw", bytes(512)), "--shape", "8,8,8", "--periodic",
                    says="no solid")

    def test_a_boolean_array_is_asked_what_true_means(self):
        header = b"{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2, 2), }\n"
        self.write("blobs.npy", b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header +
                   bytes([1, 1, 1, 1, 1, 1, 0, 0]))
        self.refuse("blobs.npy", says="--pore 1 for a porosity of 0.75 (True is pore, as in "
                    "PoreSpy), or --pore 0 for one of 0.25")
        self.assertIn("porosity    0.750000",
                      self.tessera("info", "blobs.npy", "--pore", "1").stdout)

    def test_a_lattice_of_the_plane_is_refused_on_a_volume_and_across_it(self):
        self.refuse(*self.write_raw("tube.raw", tube()), "--lattice", "D2Q9",
                    says="--lattice D2Q9 is for plane flows, but nz = 6: expected an image of one "
                    "layer along z (see --crop), or --lattice D3Q13, D3Q15, D3Q19 or D3Q27")
        self.refuse(*self.write_raw("slit.raw", (bytes(24), (6, 4, 1))), "--lattice", "D2Q9",
                    "--axis", "all", says="--axis all: --lattice D2Q9 is for plane flows")

    def test_an_image_of_real_values_gets_a_short_line(self):
        image = self.write("grey.raw", struct.pack("<512d", *(i ** 0.5 for i in range(512))))
        run = self.tessera("info", image, "--shape", "8,8,8", "--dtype", "float64")
        self.assertEqual(run.returncode, 2)
        self.assertLess(len(run.stderr), 200)

    def test_pores_that_do_not_lead_through_are_refused(self):
        blind = voxels((8, 6, 6), lambda x, y, z: x == 7 or y in (0, 5) or z in (0, 5))
        arguments = self.write_raw("blind.raw", (blind, (8, 6, 6)))
        for setup in [], ["--periodic"], ["--mirror"]:
            self.refuse(*arguments, *setup, says="no pore leads through blind.raw along x")

    def test_one_closed_axis_of_three_is_refused_before_any_flow(self):
        self.refuse(*self.write_raw("tube.raw", tube()), "--axis", "all", says="along y")


class BadOption(CommandTest):
    def setUp(self):
        super().setUp()
        self.image = self.write_raw("pores.raw", bent_pores())

    def refuse(self, *arguments, says="", **options):
        self.assert_refused("permeability", *self.image, *arguments, "--out", "out", says=says,
                            **options)

    def refuse_values(self, option, *values):
        for value in values:
            with self.subTest(option=option, value=value):
                self.refuse(f"{option}={value}", says=option)

    def test_positive_numbers_are_held_to_be_positive_numbers(self):
        for option in ("--tolerance", "--magic", "--body-force", "--viscosity", "--density",
                       "--max-steps", "--tiles", "--steps-per-sweep"):
            self.refuse_values(option, *WRONG_NUMBERS)
        for option in "--tolerance", "--magic", "--body-force", "--viscosity", "--density":
            self.refuse_values(option, "inf")

    def test_numbers_that_mean_nothing_are_refused_with_the_range(self):
        for option, value, lowest, highest in (
                ("--tolerance", "10", "1e-15", "0.5"), ("--tolerance", "1e-300", "1e-15", "0.5"),
                ("--magic", "1e300", "1e-06", "1e+06"),
                ("--body-force", "1e300", "1e-30", "1000"),
                ("--viscosity", "1e300", "1e-12", "1e+06 m^2/s"),
                ("--density", "1e-300", "1e-06", "1e+06 kg/m^3"),
                ("--voxel-size", "1e300m", "1e-12", "1000 m"),
                ("--voxel-size", "1e-300m", "1e-12", "1000 m")):
            with self.subTest(option=option, value=value):
                self.refuse(f"{option}={value}", says=f": expected {lowest} to {highest}\n")

    def test_a_relaxation_time_must_be_above_one_half(self):
        self.refuse_values("--relaxation-time", "0.5", "0.4", "inf", "1e300", *WRONG_NUMBERS)

    def test_buffer_layers_and_header_bytes_must_be_possible(self):
        self.refuse_values("--buffer-layers", "-1", "nan", "1.5", "9223372036854775807")
        self.refuse("--header-bytes", "-1", says="-1")
        self.refuse("--header-bytes", "nan", says="--header-bytes")

    def test_buffer_layers_beyond_memory_are_refused(self):
        wide = self.write_raw("wide.raw", (b"\1" + bytes(2 * 1000**2 - 1), (2, 1000, 1000)))
        self.assert_refused("permeability", *wide, "--buffer-layers", 100000, "--out", "out",
                            says="--buffer-layers 100000: expected 0 to ")

    def test_a_voxel_size_needs_a_positive_number_and_a_unit(self):
        self.refuse_values("--voxel-size", "2", "um", "-2um", "0um", "nanum", "infum", "2 inch")

    def test_a_shape_is_three_positive_whole_numbers(self):
        for shape in "8,8", "8,8,8,8", "8x8x8", "0,8,8", "-8,8,8", "nan,8,8", "8.5,8,8", "8,8,":
            with self.subTest(shape=shape):
                self.assert_refused("permeability", "pores.raw", f"--shape={shape}", "--out", "out",
                                    says=f"--shape {shape}: expected")

    def test_a_shape_that_is_not_that_of_the_file_is_refused(self):
        self.assert_refused("permeability", "pores.raw", "--shape", "12,10,9", "--out", "out",
                            says="12 x 10 x 9")

    def test_a_crop_is_three_ranges_inside_the_image(self):
        self.refuse_values("--crop", "0:4", "0:4,0:4", "4:4,0:4,0:4", "5:4,0:4,0:4", "-1:4,0:4,0:4",
                           "a:b,0:4,0:4", "0-4,0-4,0-4")
        self.refuse("--crop", "0:13,0:10,0:8", says="crop")

    def test_names_are_known_ones(self):
        self.refuse_values("--axis", "w", "X", "xy", "1")
        self.refuse_values("--collision", "lbgk")
        self.refuse_values("--lattice", "D3Q7")
        self.refuse_values("--equilibrium", "cubic")
        self.refuse_values("--precision", "quarter")
        self.refuse("--axes", "xxy", says="xxy")

    def test_an_unknown_scheduler_is_refused(self):
        self.refuse("--scheduler", "fastest", says="'fastest' is unknown")
        self.refuse("--scheduler", "fastest", says="dmdas, ")
        self.refuse("--scheduler", "fastest", says=" lws,")

    def test_an_unknown_scheduler_in_the_environment_is_refused(self):
        self.refuse(environment={"STARPU_SCHED": "fastest"}, says="'fastest' is unknown")

    def test_more_gpus_than_there_are_are_refused(self):
        self.refuse("--gpus", "99", says="--gpus 99: expected at most")

    def test_cores_are_a_number_of_those_there_are_or_auto(self):
        self.refuse_values("--cores", "-1", "some", "2x")
        self.refuse("--cores", "9999", says="--cores 9999: expected at most")
        self.refuse("--cores", "0", "--gpus", "0", says="--cores 0: expected a GPU, or a core")

    def test_an_unknown_balance_is_refused(self):
        self.refuse("--balance", "fair", says="--balance fair: expected static, dynamic or free")

    def test_periodic_and_mirror_exclude_each_other(self):
        self.refuse("--periodic", "--mirror", says="--periodic and --mirror exclude each other")

    def test_pore_and_solid_may_not_overlap(self):
        self.refuse("--pore", "0-5", "--solid", "3,7", says="label 3")

    def test_labels_and_thresholds_are_numbers(self):
        for option in "--pore", "--solid":
            for value in "word", "1.5", "3-1", "1,", "nan":
                self.refuse(option, value, says=value)
        for value in "word", "nan", "<", "12px":
            self.refuse("--threshold", value, says=value)

    def test_a_threshold_and_solid_labels_exclude_each_other(self):
        self.refuse("--threshold", "1", "--solid", "1", says="--threshold")


class BadCommandLine(CommandTest):
    def test_unknown_commands_and_options_are_refused(self):
        self.write_raw("tube.raw", tube())
        for arguments in ([], ["permeate"], ["--loud"], ["permeability"], ["info"], ["generate"],
                          ["generate", "cubes"], ["generate", "spheres"],
                          ["permeability", "tube.raw", "--shape", "8,6,6", "--out"],
                          ["permeability", "tube.raw", "--shape", "8,6,6", "--out", "out", "--loud"],
                          ["permeability", "tube.raw", "--shape", "8,6,6", "--out", "out", "more"]):
            with self.subTest(arguments=arguments):
                self.assert_refused(*arguments)

    def test_what_was_mistyped_is_answered_with_what_is_near(self):
        for arguments, says in (
                (["permeabilty", "tube.raw"], "'permeabilty' was not expected; did you mean "
                                              "'permeability'? (see tessera --help)"),
                (["permeability", "tube.raw", "--tollerance=1", "--out", "out"],
                 "'--tollerance=1' was not expected; did you mean '--tolerance'? "
                 "(see tessera permeability --help)"),
                (["permeability", "tube.raw", "--tollerance", "1"], "did you mean '--tolerance'?"),
                (["run", "case.toml", "--chek"], "did you mean '--check'?"),
                (["info", "tube.raw", "-shape", "8,6,6"], "did you mean '--shape'?"),
                (["generate", "sphere", "--out", "a.raw"], "did you mean 'spheres'?"),
                (["generate", "spheres", "--sed", "3", "--out", "a.raw"],
                 "did you mean '--seed'? (see tessera generate spheres --help)"),
                (["bench", "--secnods", "1"], "did you mean '--seconds'?"),
                (["--verison"], "did you mean '--version'?")):
            with self.subTest(arguments=arguments):
                self.assert_refused(*arguments, says=says)
        run = self.tessera("permeability", "tube.raw", "--out", "out", "--gibberish")
        self.assertNotIn("did you mean", run.stderr)

    def test_a_missing_output_folder_is_named(self):
        self.assert_refused("permeability", *self.write_raw("tube.raw", tube()), says="--out")

    def test_impossible_geometries_are_not_generated(self):
        for arguments in (["spheres", "--size", "0"], ["spheres", "--size", "8,8"],
                          ["spheres", "--radius", "nan"], ["spheres", "--radius", "-1"],
                          ["spheres", "--porosity", "nan"], ["spheres", "--porosity", "0"],
                          ["spheres", "--porosity", "1"], ["spheres", "--seed", "word"],
                          ["spheres", "--separate", "--porosity", "0.1", "--size", "16",
                           "--radius", "3"],
                          ["sphere-array", "--size", "-8"], ["sphere-array", "--size", "8,8,9"],
                          ["sphere-array", "--lattice", "hcp"],
                          ["sphere-array", "--solid-fraction", "0.9"],
                          ["plates", "--gap", "0"], ["plates", "--walls", "-1"],
                          ["plates", "--width", "0"], ["plates", "--normal", "all"],
                          ["rectangular-duct", "-a", "0"], ["rectangular-duct", "--length", "-1"],
                          ["circular-duct", "--radius", "nan"], ["circular-duct", "--axis", "w"],
                          ["triangular-duct", "--side", "-5"]):
            with self.subTest(arguments=arguments):
                self.assert_refused("generate", *arguments, "--out", "image.raw")

    def test_an_image_format_that_is_not_written_is_refused(self):
        self.assert_refused("generate", "plates", "--out", "image.png", says=".tif")


if __name__ == "__main__":
    unittest.main()
