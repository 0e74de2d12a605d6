# SPDX-License-Identifier: MIT
"""The main job: an image in, a permeability out, under keys that stay."""

import csv
import json
import math
import pathlib
import re
import shutil
import tempfile
import unittest

from command import DONE, NOT_CONVERGED, CommandTest, bent_pores, tube, voxels

SPHERES = ["sc.raw", "--shape", "32,32,32", "--periodic"]
# Steps of a flow that is so small: two cores spend more than twice as much on them.
ONE_CORE = ["--gpus", "0", "--cores", "1"]
# Of these voxels (not of true spheres), from runs to a tolerance of 1e-6 in double precision.
SPHERES_K = 19.06757

NUMBER = (int, float)
KEYS = {
    "image.path": str, "image.shape": list, "image.voxel_size_m": NUMBER, "image.sha256": str,
    "porosity.total": NUMBER, "porosity.percolating.x": NUMBER, "porosity.percolating.y": NUMBER,
    "porosity.percolating.z": NUMBER,
    "flow.lattice": str, "flow.collision": str, "flow.relaxation_time": NUMBER,
    "flow.precision": str, "flow.body_force_lattice": NUMBER,
    **{f"permeability.{axis}.{key}": kind for axis in "xyz" for key, kind in {
        "k_m2": NUMBER, "k_mD": NUMBER, "k_lattice": NUMBER, "converged": bool, "steps": int,
        "change": NUMBER, "reynolds": NUMBER}.items()},
    "permeability.tensor_m2": list,
    "performance.fluid_nodes": int, "performance.steps": int, "performance.seconds": NUMBER,
    "performance.mflups": NUMBER, "performance.bytes_per_fluid_node": NUMBER,
    "performance.bandwidth_gbs": NUMBER, "performance.bandwidth_fraction": (int, float, type(None)),
    "performance.imbalance": NUMBER, "performance.workers": list,
    "software.version": str, "software.commit": str, "software.starpu": str,
    "software.metis": str, "software.cuda": (str, type(None)), "software.compiler": str,
}


def value_of(results, key):
    for part in key.split("."):
        results = results[part]
    return results


class SphereArray(CommandTest):
    """The first example of the README."""

    @classmethod
    def setUpClass(cls):
        cls.runs = {}  # folders of runs whose results several tests look at, by their options

    def setUp(self):
        super().setUp()
        self.spheres("sc.raw", 32)

    def spheres(self, name, size):
        made = self.tessera("generate", "sphere-array", "--lattice", "sc", "--solid-fraction",
                            "0.216", "--size", size, "--out", name)
        self.assertEqual(made.returncode, DONE, made.stderr)

    def run_once(self, *options):
        """The folder with what a run with these options writes, and its results."""
        if options not in self.runs:
            self.compute(*SPHERES, *options)
            kept = pathlib.Path(tempfile.mkdtemp(prefix="tessera-cli-"))
            self.addClassCleanup(shutil.rmtree, kept)
            self.runs[options] = shutil.move(self.path("out"), kept / "out")
        return self.runs[options], self.results(self.runs[options])

    def assert_spheres(self, results, tolerance):
        found = results["permeability"]["x"]
        self.assertIs(found["converged"], True)
        self.assertLess(abs(found["k_lattice"] / SPHERES_K - 1), tolerance)

    def test_its_permeability_is_right_to_the_tolerance_asked(self):
        self.assert_spheres(self.run_once()[1], 1e-3)
        self.assert_spheres(self.compute(*SPHERES, "--tolerance", "1e-5", "--precision", "double"),
                            1e-5)

    def test_half_precision_gives_it_to_a_hundredth(self):
        results = self.compute(*SPHERES, *ONE_CORE, "--precision", "half", "--tolerance", "1e-2")
        self.assertEqual(results["flow"]["precision"], "half")
        self.assert_spheres(results, 1e-2)

    def test_half_precision_warns_of_what_it_is_not_good_for(self):
        self.spheres("small.raw", 16)
        half = ["permeability", "small.raw", "--shape", "16,16,16", "--periodic", *ONE_CORE, "--precision", "half",
                "--no-fields", "--quiet", "--out", "out"]
        fine = self.tessera(*half, "--tolerance", "1e-3", "--max-steps", "20")
        self.assertIn("a tolerance of 1.0e-03 is finer than half precision is good for",
                      fine.stderr)
        # Fast for the force that drives it: each step adds but a last digit.
        thin = self.tessera(*half, "--tolerance", "1e-2", "--relaxation-time", "0.55",
                            "--max-steps", "2000")
        self.assertIn("rounding to 16 bits may have changed k by", thin.stderr)

    def test_all_three_axes_give_the_same_and_a_diagonal_tensor(self):
        out, results = self.run_once("--axis", "all", "--gpus", "0", "--voxel-size", "2.25um")
        for key, kind in KEYS.items():
            with self.subTest(key=key):
                value = value_of(results, key)
                self.assertIsInstance(value, kind)
                if isinstance(value, float):
                    self.assertTrue(math.isfinite(value) and value >= 0)
        tensor = results["permeability"]["tensor_m2"]
        k = results["permeability"]["x"]["k_m2"]
        for row in range(3):
            self.assertAlmostEqual(tensor[row][row] / k, 1, delta=1e-4)
            for column in range(3):
                if row != column:
                    self.assertLess(abs(tensor[row][column]), 1e-4 * k)
        self.assertEqual([p.name for p in sorted(out.glob("fields*"))],
                         ["fields-x.vtkhdf", "fields-y.vtkhdf", "fields-z.vtkhdf"])

    def test_all_numbers_agree_with_the_voxel_size(self):
        _, results = self.run_once("--voxel-size", "2.25um")
        found = results["permeability"]["x"]
        self.assertAlmostEqual(results["image"]["voxel_size_m"] / 2.25e-6, 1, delta=1e-12)
        self.assertAlmostEqual(found["k_m2"] / (found["k_lattice"] * 2.25e-6 ** 2), 1, delta=1e-12)
        self.assertAlmostEqual(found["k_mD"] / (found["k_m2"] / 9.869233e-16), 1, delta=1e-7)
        self.assertEqual(results["image"]["shape"], [32, 32, 32])
        self.assertEqual(results["performance"]["fluid_nodes"],
                         round(results["porosity"]["total"] * 32 ** 3))
        same = self.compute(*SPHERES, "--voxel-size", "0.00225 mm")["permeability"]["x"]
        self.assertAlmostEqual(same["k_m2"] / found["k_m2"], 1, delta=1e-12)

    def test_each_worker_is_busy_or_waits_for_as_long_as_the_run_takes(self):
        performance = self.run_once("--axis", "all", "--gpus", "0", "--voxel-size", "2.25um")[1]["performance"]
        self.assertGreater(len(performance["workers"]), 0)
        for worker in performance["workers"]:
            for key in "busy_s", "waiting_s", "transferring_s":
                self.assertGreaterEqual(worker[key], 0)
            # Preparation, which takes as long here, is not in it.
            self.assertAlmostEqual((worker["busy_s"] + worker["waiting_s"]) /
                                   performance["seconds"], 1, delta=0.1)
        # Each step of each tile is a task.
        performance = self.compute(*SPHERES, "--gpus", "0", "--solver", "steps", "--max-steps", "40",
                                   status=NOT_CONVERGED)["performance"]
        self.assertGreaterEqual(sum(worker["tasks"] for worker in performance["workers"]),
                                performance["steps"] * performance["tiles"])

    def test_two_runs_give_the_same_bits(self):
        _, first = self.run_once()
        second = self.compute(*SPHERES)
        self.assertEqual(json.dumps(first["permeability"]), json.dumps(second["permeability"]))
        self.assertEqual(first["image"], second["image"])

    def test_who_decides_where_a_tile_is_does_not_matter(self):
        self.spheres("small.raw", 16)
        found = [self.compute("small.raw", "--shape", "16,16,16", "--periodic", "--gpus", "0", "--tiles", "6", "--balance", balance)
                 for balance in ("static", "dynamic", "free")]
        for results, balance in zip(found, ("static", "dynamic", "free")):
            self.assertEqual(results["performance"]["balance"]["policy"], balance)
            self.assertEqual(json.dumps(results["permeability"]),
                             json.dumps(found[0]["permeability"]))

    def test_each_node_update_is_counted(self):
        performance = self.compute(*SPHERES, "--gpus", "0", "--cores", "1")["performance"]
        self.assertEqual(len(performance["workers"]), 1)
        self.assertEqual(performance["workers"][0]["nodes"],
                         performance["fluid_nodes"] * performance["steps"])

    def test_a_tiff_of_the_same_geometry_gives_the_same(self):
        made = self.tessera("generate", "sphere-array", "--size", "32", "--out", "sc.tif")
        self.assertEqual(made.returncode, DONE, made.stderr)
        _, raw = self.run_once()
        tiff = self.compute("sc.tif", "--periodic")
        self.assertEqual(raw["permeability"], tiff["permeability"])

    def test_its_history_leads_to_the_result(self):
        out, results = self.run_once("--voxel-size", "2.25um")
        with open(out / "convergence.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        last = rows[-1]
        self.assertEqual(last["axis"], "x")
        self.assertEqual(float(last["k_lattice"]), results["permeability"]["x"]["k_lattice"])
        steps = [int(row["step"]) for row in rows]
        self.assertEqual(steps, sorted(set(steps)))
        for row in rows:
            self.assertAlmostEqual(float(row["mass"]), 1, delta=1e-6)


class Output(CommandTest):
    def run_tube(self, *arguments):
        run = self.tessera("permeability", *self.write_raw("tube.raw", tube()), *arguments)
        self.assertEqual(run.returncode, DONE, run.stderr)
        return run

    def test_quiet_prints_nothing(self):
        run = self.run_tube("--quiet", "--mirror", "--out", "out")
        self.assertEqual((run.stdout, run.stderr), ("", ""))

    def test_a_pipe_gets_the_summary_without_carriage_returns(self):
        run = self.run_tube("--voxel-size", "1um", "--mirror", "--out", "out")
        self.assertIn("k_x = ", run.stdout)
        self.assertIn(" mD", run.stdout)
        self.assertIn("imbalance of the workers: ", run.stdout)
        self.assertNotIn("\r", run.stdout + run.stderr)
        self.assertNotIn("\033", run.stdout + run.stderr)
        self.assertEqual(run.stderr, "")

    def test_buffer_layers_that_resist_are_warned_of(self):
        run = self.run_tube("--out", "out")
        found = self.results()
        length, k = found["image"]["shape"][0], found["permeability"]["x"]["k_lattice"]
        share = round(100 * 10 / length * k / (36 * 0.0351))  # of the layers, a duct of 6 x 6, over that of the sample
        self.assertRegex(run.stderr, rf"the layers of fluid at the ends resist the flow, too, by some ({share - 1}|{share}|{share + 1}) %")
        self.assertEqual(self.run_tube("--buffer-layers", "1", "--out", "out").stderr, "")

    def test_verbose_adds_progress_in_lines(self):
        run = self.run_tube("--verbose", "--out", "out")
        self.assertIn("x: iteration ", run.stderr)
        self.assertIn("label", run.stderr)
        self.assertNotIn("\r", run.stderr)

    def test_folders_are_made_on_the_way_and_may_have_any_name(self):
        self.run_tube("--quiet", "--out", "über uns/a b/")
        self.assertTrue(self.path("über uns/a b/results.json").is_file())

    def test_older_results_are_replaced(self):
        self.run_tube("--quiet", "--out", "out")
        first = self.path("out/results.json").read_text(encoding="utf-8")
        self.run_tube("--quiet", "--voxel-size", "1um", "--out", "out")
        second = self.path("out/results.json").read_text(encoding="utf-8")
        self.assertIsNone(json.loads(first)["permeability"]["x"]["k_m2"])
        self.assertIsNotNone(json.loads(second)["permeability"]["x"]["k_m2"])
        self.assertEqual(len(self.files()), 5)

    def test_fields_are_left_out_if_asked(self):
        self.run_tube("--quiet", "--no-fields", "--out", "out")
        self.assertEqual(self.files(),
                         ["out", "out/convergence.csv", "out/results.json", "tube.raw"])

    def test_an_error_that_is_not_known_yet_is_called_so(self):
        run = self.tessera("permeability", *self.write_raw("tube.raw", tube()), "--max-steps", "3",
                           "--out", "out")
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        self.assertIn("step limit reached after 3 steps: solver error not known yet, ", run.stdout)
        self.assertNotIn("inf", run.stdout)

    def test_help_has_its_options_in_groups(self):
        text = self.tessera("permeability", "--help").stdout
        groups = ["Image:", "Flow:", "Stopping:", "Machine:",
                  "Looking at the flow while it is computed:", "Output:"]
        self.assertEqual(re.findall(r"^(?!Usage)\S.*:$", text, re.MULTILINE)[-len(groups):], groups)
        for group, option in (("Image:", "--crop"), ("Flow:", "--mirror"),
                              ("Stopping:", "--tolerance"), ("Machine:", "--gpus"),
                              ("Output:", "--no-fields")):
            self.assertIn(option, text.split(f"\n{group}\n")[1].split("\n\n")[0])

    def test_help_and_version_are_printed(self):
        for arguments in (["--help"], ["--version"], ["permeability", "--help"], ["info", "-h"],
                          ["generate", "--help"], ["generate", "spheres", "--help"]):
            run = self.tessera(*arguments)
            self.assertEqual((run.returncode, run.stderr), (DONE, ""), arguments)
            self.assertNotEqual(run.stdout, "")
        versions = self.tessera("--version").stdout
        self.assertRegex(versions, r"\Atessera \d+\.\d+\.\d+ \(\w+\)\n")
        for library in "compiler", "StarPU", "CUDA", "METIS", "HDF5", "libtiff", "ParaView", "Embree":
            self.assertRegex(versions, rf"\n{library} +\S")


class Check(CommandTest):
    def test_it_says_what_would_be_computed_and_writes_nothing(self):
        image = self.write_raw("pores.raw", bent_pores())
        before = self.files()
        run = self.tessera("permeability", *image, "--axis", "all", "--gpus", 0, "--cores", 1,
                           "--voxel-size", "2um", "--check")
        self.assertEqual((run.returncode, run.stderr), (DONE, ""))
        self.assertEqual(self.files(), before)
        for line in (r"^image +pores.raw: 12 x 10 x 8 voxels of 2 um, pore is label 0$",
                     r"^set-up +sealed, 5 layers of fluid at each end$",
                     r"^model +D3Q19, trt, magic 0.1875, stokes, single precision$",
                     r"^ends +when the error of k is below 0.001, or after 1000000 steps$",
                     r"^workers +1 core$", r"^along z +\d+ fluid nodes in \d+ tiles?,",
                     r"^memory +\S+ GB for the lattice, \S+ GB in all$",
                     r"^time +by an order of magnitude: "):
            self.assertRegex(run.stdout, re.compile(line, re.MULTILINE))

    def test_its_memory_and_steps_are_near_those_of_the_run(self):
        made = self.tessera("generate", "spheres", "--size", "48", "--radius", "8", "--out", "p.raw")
        self.assertEqual(made.returncode, DONE, made.stderr)
        image = ["p.raw", "--shape", "48,48,48", "--tolerance", "1e-2", *ONE_CORE]
        text = self.tessera("permeability", *image, "--check").stdout
        performance = self.compute(*image, "--no-fields")["performance"]
        lattice = float(re.search(r"memory +(\S+) GB", text)[1]) * 1e9
        used = performance["bytes_per_fluid_node"] * performance["fluid_nodes"]
        self.assertAlmostEqual(lattice / used, 1, delta=0.25)
        steps = float(re.search(r"magnitude: (\S+) steps", text)[1])
        self.assertLess(abs(math.log10(steps / performance["steps"])), 1)

    def test_bad_input_is_refused_as_in_a_run(self):
        image = self.write_raw("tube.raw", tube())
        self.assert_refused("permeability", *image, "--axis", "y", "--check", says="along y")
        self.assert_refused("permeability", *image, "--scheduler", "x", "--check", says="'x'")


class Slip(CommandTest):
    def slit(self, voxels_high=16):
        # Of an infinite slit: k = h^2/12 of its own area, dk/dl = h/2, so k (1 + 6 l/h).
        shape = (8, 8, voxels_high + 8)
        return self.write_raw("slit.raw", (voxels(shape, lambda x, y, z: z >= voxels_high), shape))

    def test_in_a_slit_it_is_klinkenbergs_of_its_height(self):
        image = self.slit()
        run = self.tessera("permeability", *image, "--periodic", "--gas", "nitrogen", "--temperature", "300", "--voxel-size", "2um",
                           "--tolerance", "1e-5", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        slip = self.results()["permeability"]["x"]["slip"]
        self.assertAlmostEqual(slip["slope_lattice"] / (16 / 24 * 16 / 2), 1, delta=1e-3)
        self.assertAlmostEqual(slip["per_voxel"] / (6 / 16), 1, delta=3e-3)
        # The mean free path of nitrogen at 300 K is 66.1 nm at an atmosphere: kinetic theory, by its viscosity of 17.9 uPa s.
        self.assertAlmostEqual(slip["klinkenberg_Pa"] / (6 / (16 * 2e-6) * 66.1e-9 * 101325), 1, delta=0.01)
        self.assertIn("nitrogen at 300 K: k_x (1 + b/p)", run.stdout)

    def test_layers_of_fluid_and_mirrored_boxes_change_nothing(self):
        image = self.slit(8)
        for options in (["--mirror"], ["--buffer-layers", "0"], ["--periodic"]):
            slip = self.compute(*image, "--slip", "--no-fields", *options)["permeability"]["x"]["slip"]
            if "--periodic" in options:
                self.assertAlmostEqual(slip["per_voxel"] / (6 / 8), 1, delta=0.01)
            self.assertGreater(slip["slope_lattice"], 0)
            self.assertNotIn("klinkenberg_Pa", slip)

    def test_what_cannot_be_had_is_refused(self):
        image = self.slit(8)
        for options, says in ((["--slip", "--solver", "steps"], "--slip with --solver steps"), (["--gas", "neon"], "expected air, argon"),
                              (["--gas", "air", "--temperature", "20"], "--temperature 20 K"),
                              (["--temperature", "300"], "--temperature: expected a gas, too (--gas)"),
                              (["--voxel-size", ""], "--voxel-size: expected a value, found an empty one"),
                              (["--pore", "0", "--threshold", "1"], "a threshold and pore labels exclude each other"),
                              (["--slip", "--grey", "1=0.1"], "--slip with --grey"), (["--gas", "air"], "--gas: expected the edge of a voxel"),
                              (["--gas", "air", "--lattice", "D3Q27"], "--gas: slip is found by minres")):
            self.assert_refused("permeability", *image, *options, "--out", "no", says=says)


class Tiles(CommandTest):
    def test_the_number_of_tiles_does_not_matter(self):
        image = self.write_raw("pores.raw", bent_pores())
        options = ["--precision", "double", "--tolerance", "1e-6"]
        one = self.compute(*image, *options, "--tiles", "1")["permeability"]["x"]["k_lattice"]
        for tiles in 3, 1000000:
            k = self.compute(*image, *options, "--tiles", tiles)["permeability"]["x"]["k_lattice"]
            self.assertAlmostEqual(k / one, 1, delta=1e-10)


if __name__ == "__main__":
    unittest.main()
