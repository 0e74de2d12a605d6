# SPDX-License-Identifier: MIT
"""The measurements of `tessera bench`: those that need a GPU where there is none, and those of cores."""

import json
import os
import unittest

from command import DONE, FAILED, CommandTest

CORES = int(os.environ.get("STARPU_NCPU", len(os.sched_getaffinity(0))))
MODES = "transfers", "alignment", "layout", "threads", "domains", "collision"


class BenchModes(CommandTest):
    def test_sizes_that_make_no_sense_are_refused(self):
        for mode in MODES:
            for size in "0", "-1", "15", "5000", "nan", "word", "64.5":
                with self.subTest(mode=mode, size=size):
                    self.assert_refused("bench", mode, "--size", size, says="--size")

    def test_repeats_that_make_no_sense_are_refused(self):
        for mode in MODES:
            for repeats in "0", "-3", "word":
                with self.subTest(mode=mode, repeats=repeats):
                    self.assert_refused("bench", mode, "--repeats", repeats, says="--repeats")

    def test_unknown_or_several_modes_are_refused(self):
        self.assert_refused("bench", "everything")
        self.assert_refused("bench", "layout", "threads")
        self.assert_refused("bench", "layout", "--loud")

    def test_options_before_the_mode_are_refused_and_not_forgotten(self):
        self.assert_refused("bench", "--size", "64", "layout", says="--size before layout")

    def test_without_a_gpu_there_is_one_line(self):
        hidden = {"CUDA_VISIBLE_DEVICES": ""}
        for mode in MODES:
            with self.subTest(mode=mode):
                self.assert_refused("bench", mode, "--json", "figures.json", status=FAILED,
                                    says="needs a GPU", environment=hidden)

    def test_plain_bench_is_the_table_of_porosities(self):
        run = self.tessera("bench", "--size", "32", "--porosity", "1", "--seconds", "0.01",
                           "--repeats", "1", "--json", "figures.json")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertEqual(self.files(), ["figures.json"])

    def figures(self, *arguments, size="48"):
        """Runs a mode on a small box and returns what it writes."""
        run = self.tessera("bench", *arguments, "--size", size, "--repeats", "1",
                           "--json", "figures.json")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertEqual(self.files(), ["figures.json"])
        return json.loads(self.path("figures.json").read_text())

    def test_answer_measures_the_whole_command_and_its_parts(self):
        run = self.tessera("bench", "answer", "--size", "32", "--radius", "5", "--gpus", "0", "--json", "figures.json")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertEqual(self.files(), ["figures.json"])
        steps, minres = json.loads(self.path("figures.json").read_text())
        self.assertEqual((steps["solver"], minres["solver"]), ("steps", "minres"))
        self.assertLess(abs(steps["k_lattice"] / minres["k_lattice"] - 1), 2e-2)
        for one in steps, minres:
            self.assertLess(sum(one["parts_s"].values()), 1.02 * one["wall_s"])
            self.assertGreater(one["step_equivalents"], 0)
        self.assertLess(minres["step_equivalents"], steps["step_equivalents"])
        self.path("figures.json").unlink()
        self.assert_refused("bench", "answer", "--size", "8", says="--size 8")
        self.assert_refused("bench", "answer", "--solver", "gauss")

    def test_insitu_measures_with_and_without_looks(self):
        figures = self.figures("insitu", "--gpus", "0", "--seconds", "0.1")
        self.assertEqual(len(figures["mflups"]), 1)
        self.assertEqual(len(figures["looked_at_mflups"]), 1)
        self.assertEqual(figures["bytes"], 16 * figures["nodes"])
        self.assertEqual(figures["transfer_not_overlapped"], 0)

    def test_drift_has_a_time_before_and_a_time_with_a_competitor(self):
        figures = self.figures("drift", "--seconds", "0.5")
        for balance in "static", "dynamic":
            run, = figures[balance]
            self.assertEqual(len(run["mflups"]), 4)
            self.assertGreater(run["before_mflups"], 0)
            self.assertGreater(run["after_mflups"], 0)
            self.assertAlmostEqual(run["share_of_ideal"], run["after_mflups"] / run["ideal_mflups"])
            self.assertGreater(run["busy_mflups"], 0)
            self.assertGreaterEqual(run["imbalance"], 0)
            self.assertEqual(run["moves"], 0)

    def test_cuts_are_compared_on_the_same_nodes_and_as_many_tiles(self):
        rocks = self.figures("cuts", "--cores", "1", "--seconds", "0.02")["rocks"]
        self.assertEqual([rock["rock"] for rock in rocks], ["spheres", "dense", "graded"])
        self.assertEqual(rocks[1]["nodes"], 48 ** 3)
        for rock in rocks:
            with self.subTest(rock=rock["rock"]):
                self.assertEqual([cut["cut"] for cut in rock["cuts"]],
                                 ["METIS", "Z-order", "slabs", "boxes"])
                self.assertEqual({cut["tiles"] for cut in rock["cuts"]}, {8})
                for cut in rock["cuts"]:
                    self.assertGreater(cut["halo_bytes_per_step"], 0)
                    self.assertGreaterEqual(cut["imbalance"], 0)
                    self.assertGreater(min(cut["static_mflups"] + cut["dynamic_mflups"]), 0)

    def test_tiles_of_a_rock_that_is_repeated(self):
        run = self.tessera("bench", "tiles", "--size", "64,32,32", "--radius", "5", "--repeat", "1,2,1", "--gpus", "2",
                           "--tiles", "6", "--json", "tiles.json")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertEqual(self.files(), ["tiles.json"])
        tiles = json.loads(self.path("tiles.json").read_text())
        self.assertEqual(tiles["shape"], [64, 64, 32])
        self.assertEqual(sum(tile["nodes"] for tile in tiles["tiles"]), tiles["nodes"])
        self.assertEqual([tile["gpu"] for tile in tiles["tiles"]], [0, 0, 0, 1, 1, 1])
        pairs = {(e["from"], e["to"], *e["box"]): e["bytes"] for e in tiles["exchanges"]}
        self.assertEqual(len(pairs), len(tiles["exchanges"]))
        for (sender, reader, x, y, z), _ in pairs.items():
            if abs(x) + abs(y) + abs(z) == 1:  # across a face there are links both ways
                self.assertIn((reader, sender, -x, -y, -z), pairs)

    def test_tiles_that_make_no_sense_are_refused(self):
        for option, value in (("--tiles", "1"), ("--gpus", "0"), ("--repeat", "2,2"), ("--porosity", "1"),
                              ("--radius", "0"), ("--precision", "many")):
            with self.subTest(option=option):
                self.assert_refused("bench", "tiles", "--size", "32,32,32", *(() if option == "--gpus" else ("--gpus", "2")),
                                    option, value, "--json", "tiles.json", says=value)
        self.assert_refused("bench", "tiles", says="--json")

    def test_drift_takes_two_gpus_or_cores(self):
        hidden = {"CUDA_VISIBLE_DEVICES": ""}
        for arguments, says in ((("--gpus", "1"), "--gpus 1: expected 0 or at least 2"),
                                (("--gpus", "2"), "--gpus 2: expected at most 0"),
                                (("--gpus", "2", "--cores", "1"), "--cores 1"),
                                (("--repeats", "0"), "--repeats 0")):
            self.assert_refused("bench", "drift", *arguments, says=says, environment=hidden)

    def test_the_competitor_of_a_gpu_needs_one(self):
        self.assert_refused("bench", "compete", status=FAILED, says="GPU",
                            environment={"CUDA_VISIBLE_DEVICES": ""})
        self.assertNotIn("compete", self.tessera("bench", "--help").stdout)

    def test_policies_are_compared_on_the_same_tiles(self):
        figures = self.figures("policies", "--gpus", "0", "--tiles", "6", "--seconds", "0.02")
        self.assertEqual(figures["tiles"], 6)
        ways = figures["ways"]
        self.assertEqual([(way["balance"], way["scheduler"]) for way in ways], [
            ("static", "lws"), ("dynamic", "lws"), ("free", "eager"), ("free", "lws"),
            ("free", "dmda"), ("free", "dmdar"), ("free", "dmdas")])
        for way in ways:
            self.assertGreater(min(way["mflups"]), 0)

    def test_halos_are_filled_both_ways_on_the_same_tiles(self):
        figures = self.figures("halo", "--gpus", "0", "--tiles", "6", "--seconds", "0.02")
        self.assertEqual(figures["tiles"], 6)
        self.assertEqual([way["halo"] for way in figures["ways"]], ["fused", "task"])
        for way in figures["ways"]:
            self.assertGreater(min(way["mflups"]), 0)
        self.assert_refused("bench", "halo", "--halo", "none", says="--halo none")

    def test_policies_that_cannot_be_compared_are_refused(self):
        self.assert_refused("bench", "policies", "--tiles", "-1", says="--tiles")
        self.assert_refused("bench", "policies", "--gpus", "99", says="--gpus 99")
        self.assert_refused("bench", "policies", "--cores", "9999", says="--cores 9999")
        self.assert_refused("bench", "policies", "--seconds", "nan", says="--seconds")
        self.assert_refused("bench", "policies", "--precision", "quarter", says="quarter")
        for precision in ("half", "quarter"):
            self.assert_refused("bench", "spectral", "--precision", precision, "--gpus", "0",
                                says=f"--precision {precision}: expected single or double")

    def test_measurements_of_cores_take_no_gpu(self):
        for mode in "drift", "cuts":
            self.assert_refused("bench", mode, "--gpus", "1", says="--gpus 1")
            self.assert_refused("bench", mode, "--seconds", "0", says="--seconds")
            self.assert_refused("bench", mode, "--size", "15", says="--size")
            self.assert_refused("bench", mode, "--tiles", "-1", says="--tiles")

    @unittest.skipIf(CORES < 2, "one core computes and another one stands in for an accelerator")
    def test_the_cavity_is_measured_beside_its_model(self):
        figures = self.figures("cavity", "--gpus", "0", "--cores", "1", "--seconds", "0.02",
                               size="8,34")
        self.assertEqual(figures["accelerator"], "one core")
        self.assertEqual(figures["link"]["bytes_per_s"], 0)
        small, large = figures["boxes"]
        self.assertEqual([small["nodes"], large["nodes"]], [8 ** 3, 34 ** 3])
        self.assertEqual(small["sweep"], [])  # a box of one block has no centre
        self.assertEqual([row["centre"] for row in large["sweep"]],
                         [[32, n, n] for n in (8, 16, 24, 32)])
        for row in large["sweep"]:
            with self.subTest(centre=row["centre"]):
                self.assertEqual(row["sub_domains"], 27)
                volume = row["centre"][0] * row["centre"][1] * row["centre"][2]
                self.assertAlmostEqual(row["centre_share"], volume / 34 ** 3)
                self.assertGreater(row["bytes_to_accelerator"], 0)
                self.assertGreater(row["bytes_to_cores"], 0)
                self.assertGreater(row["mflups"][0], 0)
                either = large["accelerator_mflups"][0], large["cores_mflups"][0]
                self.assertLess(row["model_mflups"], 1.001 * sum(either))
                self.assertGreater(min(row["busiest_core_s"], row["centre_s"]), 0)
                self.assertEqual(row["exchange_s"], 0)
                self.assertAlmostEqual(row["own_model_mflups"] * max(row["busiest_core_s"], row["centre_s"]),
                                       34 ** 3 * 1e-6, places=6)
                share = row["centre_share"]
                self.assertAlmostEqual(row["model_mflups"],
                                       min(either[0] / share, either[1] / (1 - share)), places=3)
        self.assertIn(large["best"], large["sweep"])
        self.assertIn(large["best_by_model"], large["sweep"])

    def test_a_cavity_that_makes_no_sense_is_refused(self):
        for size in "7", "0", "8,465", "8,word", "64.5":
            with self.subTest(size=size):
                self.assert_refused("bench", "cavity", "--size", size, says="--size")
        for option, value in (("--gpus", "2"), ("--cores", "0"), ("--cores", "4096"),
                              ("--seconds", "0"), ("--repeats", "0"), ("--precision", "many")):
            with self.subTest(option=option, value=value):
                self.assert_refused("bench", "cavity", option, value, says=value)


if __name__ == "__main__":
    unittest.main()
