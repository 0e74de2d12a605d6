# SPDX-License-Identifier: MIT
"""tessera rev: permeabilities of many sub-volumes of an image."""

import csv
import json
import shutil
import unittest

from command import BAD_INPUT, DONE, MPIRUN, CommandTest, voxels

MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}


class Rev(CommandTest):
    def setUp(self):
        super().setUp()
        made = self.tessera("generate", "spheres", "--size", "60,52,50", "--radius", "6", "--porosity", "0.4",
                            "--seed", "3", "--out", "rock.raw")
        self.assertEqual(made.returncode, DONE, made.stderr)
        self.rock = ["rock.raw", "--shape", "60,52,50"]

    def rev(self, *options, out="rev", status=DONE):
        done = self.tessera("rev", *self.rock, *options, "--out", out)
        self.assertEqual(done.returncode, status, done.stderr)
        with self.path(f"{out}/rev.csv").open() as table:
            rows = list(csv.DictReader(table))
        return rows, json.loads(self.path(f"{out}/results.json").read_text()), done.stdout

    def test_each_has_the_permeability_that_it_has_alone(self):
        rows, results, said = self.rev("--edges", "24,16", "--samples", "3", "--voxel-size", "2um", "--axis", "all")
        self.assertEqual(len(rows), 18)
        self.assertEqual([int(row["edge"]) for row in rows], [16] * 9 + [24] * 9)
        for row in rows[0], rows[-1]:
            lower = [int(row[c]) for c in "xyz"]
            crop = ",".join(f"{at}:{at + int(row['edge'])}" for at in lower)
            alone = self.compute(*self.rock, "--crop", crop, "--axis", row["axis"], "--voxel-size", "2um",
                                 "--no-fields", "--solver", "minres")
            found = alone["permeability"][row["axis"]]
            self.assertEqual(float(row["k_lattice"]), found["k_lattice"])
            self.assertEqual(float(row["error_estimate"]), found["error_estimate"])
            self.assertAlmostEqual(float(row["k_mD"]) / found["k_mD"], 1, places=12)
            self.assertEqual(int(row["iterations"]), found["steps"])
            self.assertAlmostEqual(float(row["porosity"]), alone["porosity"]["total"], places=12)
            self.assertAlmostEqual(float(row["percolating_porosity"]),
                                   alone["porosity"]["percolating"][row["axis"]], places=12)
            self.assertEqual(row["state"], "converged")
        statistics = results["rev"]["statistics"]
        self.assertEqual([(s["axis"], s["edge"]) for s in statistics],
                         [(a, e) for a in "xyz" for e in (16, 24)])
        of_x = [float(row["k_lattice"]) for row in rows if row["axis"] == "x" and row["edge"] == "16"]
        self.assertAlmostEqual(statistics[0]["k_mean_lattice"] / (sum(of_x) / 3), 1, places=12)
        self.assertAlmostEqual(statistics[0]["k_median_lattice"], sorted(of_x)[1], places=12)
        self.assertIn("18 sub-volumes in ", said)
        picture = self.path("rev/rev.svg").read_text()
        self.assertEqual(picture.count("<circle"), 18)
        self.assertEqual(picture.count('class="median"'), 6)

    def test_conductivities_are_those_that_each_cube_has_alone(self):
        for conducts in (["--pore", "0"], ["--conductivity", "0=2", "1=0.05"]):
            diffusion = ["--diffusion"] if "--pore" in conducts else []
            rows, results, said = self.rev("--edges", "16", "--samples", "3", "--axis", "z", "--tolerance", "1e-6", *conducts,
                                           *diffusion)
            for row in rows:
                crop = ",".join(f"{int(row[c])}:{int(row[c]) + 16}" for c in "xyz")
                alone = self.tessera("diffusion", *self.rock, *conducts, "--crop", crop, "--axis", "z", "--no-fields", "--tolerance",
                                     "1e-6", "--out", "alone")
                self.assertEqual(alone.returncode, DONE, alone.stderr)
                found = json.loads(self.path("alone/results.json").read_text())
                axis = found["diffusion"]["z"]
                self.assertEqual(float(row["effective"]), axis["effective"])
                self.assertEqual(int(row["iterations"]), axis["iterations"])
                self.assertAlmostEqual(float(row["formation_factor"]) / axis["formation_factor"], 1, delta=1e-12)
                self.assertAlmostEqual(float(row["percolating_fraction"]), axis["percolating_fraction"])
                self.assertAlmostEqual(float(row["conducting_fraction"]), found["conducting_fraction"])
            statistics = results["rev"]["statistics"][0]
            middle = sorted(float(row["effective"]) for row in rows)[1]
            self.assertAlmostEqual(statistics["effective_median"] / middle, 1)
            self.assertEqual(results["rev"]["of"], "conductivity")
            self.assertIn("conducting", said)

    def test_grey_voxels_stay_grey_in_each_cube(self):
        grey = ["--pore", "0", "--grey", "1=0.01", "--mirror"]
        rows, results, _ = self.rev("--edges", "16", "--samples", "2", *grey)
        self.assertEqual(results["image"]["grey"]["1"]["k_lattice"], 0.01)
        for row in rows:
            crop = ",".join(f"{int(row[c])}:{int(row[c]) + 16}" for c in "xyz")
            alone = self.compute(*self.rock, "--crop", crop, *grey, "--no-fields")
            self.assertEqual(float(row["k_lattice"]), alone["permeability"]["x"]["k_lattice"])

    def test_what_excludes_each_other_is_refused(self):
        for options, why in ((["--diffusion", "--grey", "1=0.1"], "--grey: expected conductivities of labels"),
                             (["--conductivity", "0=1", "1=0", "--pore", "0"], "said by labels alone"),
                             (["--conductivity", "0=1"], "label 1 has no conductivity")):
            run = self.tessera("rev", *self.rock, "--edges", "16", *options, "--out", "none")
            self.assertEqual(run.returncode, BAD_INPUT, run.stderr)
            self.assertIn(why, run.stderr)
        for options, why in ((["--edges", "16,24,16"], "--edges 16: expected each edge once"),
                             (["--edges", "16", "--diffusion", "--precision", "double"], "--precision double: expected single"),
                             (["--edges", "16", "--diffusion", "--buffer-layers", "3"], "--buffer-layers: expected none")):
            self.assert_refused("rev", *self.rock, *options, "--out", "none", says=why)

    def test_it_is_the_same_however_many_are_side_by_side(self):
        options = ["--edges", "20", "--samples", "4", "--mirror"]
        alone, _, _ = self.rev(*options, "--cores", "1", out="one")
        beside, _, _ = self.rev(*options, "--cores", "2", out="two")
        self.assertEqual(alone, beside)

    def test_workers_share_the_flows_and_say_so(self):
        rows, results, _ = self.rev("--edges", "16", "--samples", "6", "--cores", "2", "--gpus", "0")
        performance = results["performance"]
        self.assertEqual(performance["scheduler"], "eager")
        self.assertEqual(sum(worker["tasks"] for worker in performance["workers"]), 2 * len(rows))
        for worker in performance["workers"]:
            self.assertGreater(worker["tasks"], 0)
            self.assertLess(worker["busy_s"] + worker["waiting_s"], performance["seconds"])
        for scheduler in "dmdas", "lws", "prio":
            others, results, _ = self.rev("--edges", "16", "--samples", "6", "--gpus", "0", "--scheduler", scheduler)
            self.assertEqual(others, rows)
            self.assertEqual(results["performance"]["scheduler"], scheduler)
        self.assert_refused("rev", *self.rock, "--edges", "16", "--scheduler", "none", "--out", "none",
                            says="scheduling policy 'none' is unknown")

    @unittest.skipUnless(MPIRUN, "no mpirun")
    def test_several_processes_share_the_flows(self):
        options = ["--edges", "16,24", "--samples", "5", "--cores", "1", "--gpus", "0"]
        alone, _, _ = self.rev(*options, out="alone")
        for ranks in 2, 3:
            done = self.tessera("rev", *self.rock, *options, "--out", "shared", environment=MPI,
                                launcher=["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(ranks)])
            self.assertEqual(done.returncode, DONE, done.stderr)
            for name in "rev.csv", "rev.svg":
                self.assertEqual(self.path(f"shared/{name}").read_bytes(), self.path(f"alone/{name}").read_bytes(), name)
            workers = self.results("shared")["performance"]["workers"]
            self.assertEqual([worker["name"] for worker in workers], [f"rank {r} CPU 0" for r in range(ranks)])
            self.assertEqual(sum(worker["tasks"] for worker in workers), 2 * len(alone))
            if ranks == 2:  # as many as cores
                self.assertGreater(min(worker["tasks"] for worker in workers), 0)
            self.assertEqual(done.stdout.count("sub-volumes in"), 1)

    def test_what_nothing_leads_through_has_no_permeability(self):
        self.rock = self.write_raw("layers.raw", (voxels((8, 8, 8), lambda x, y, z: z % 2), (8, 8, 8)))
        rows, results, _ = self.rev("--edges", "8", "--samples", "1", "--axis", "z")
        self.assertEqual([(row["state"], float(row["k_lattice"])) for row in rows], [("closed", 0)])
        self.assertEqual(results["rev"]["statistics"][0]["leading_through"], 0)

    def test_bad_input_is_one_line(self):
        for options, said in ((["--edges", "51"], "--edges 51: expected at most 50, as the image is 60 x 52 x 50"),
                              (["--edges", "1"], "--edges 1: expected 2 or more"),
                              (["--edges", "20", "--samples", "0"], "--samples 0: expected 1 to 100000"),
                              (["--edges", "20", "--axis", "w"], "--axis w"),
                              (["--edges", "20", "--precision", "half"], "--precision half: "),
                              (["--edges", "20", "--tolerance", "0"], "--tolerance 0")):
            self.assert_refused("rev", *self.rock, *options, "--out", "out", says=said)


if __name__ == "__main__":
    unittest.main()
