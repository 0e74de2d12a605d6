# SPDX-License-Identifier: MIT
"""Several processes of MPI compute one permeability: what they find is, bit by bit, what one finds.
Exits with 77 where there is no mpirun."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest

import numpy as np

from ranks import ENVIRONMENT, SOLVED, STEPS, RanksTest, rock
from command import BAD_INPUT, BINARY, DONE, FAILED, NOT_CONVERGED

SOLVED_SHAPE = (24, 16, 16)  # whoever is solved for needs no blocks


class RanksPermeability(RanksTest):
    def test_the_same_bits_as_alone(self):
        image = self.write_raw("rock.raw", rock())
        # In a ring two are each other's neighbours twice, and of four some are none.
        for setup, numbers in ([], (1, 2, 3, 4)), (["--periodic"], (2, 4)), (["--mirror"], (3,)), (["--grey", "1=0.3"], (2, 3)):
            how = ["permeability", *image, *STEPS, *setup, "--max-steps", "60", "--out"]
            alone = self.tessera(*how, "alone")
            self.assertEqual(alone.returncode, NOT_CONVERGED, alone.stderr)
            for ranks in numbers:
                run = self.mpirun(ranks, *how, f"of{ranks}")
                self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
                self.assert_same_files("alone", f"of{ranks}")
                one, several = self.results("alone"), self.results(f"of{ranks}")
                self.assertEqual(one["permeability"], several["permeability"])
                self.assertEqual(len(several["run"].get("ranks", [])), ranks if ranks > 1 else 0)
                workers = several["performance"]["workers"]
                self.assertEqual(sum(w["nodes"] for w in workers),
                                 several["performance"]["fluid_nodes"] * several["performance"]["steps"])
                shutil.rmtree(self.path(f"of{ranks}"))
            shutil.rmtree(self.path("alone"))

    def test_they_stop_where_one_stops(self):
        image = self.write_raw("rock.raw", rock((40, 16, 16)))
        how = ["permeability", *image, *STEPS, "--tolerance", "0.02", "--axis", "all", "--out"]
        alone = self.tessera(*how, "alone")
        self.assertEqual(alone.returncode, DONE, alone.stderr)
        run = self.mpirun(2, *how, "of2")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assert_same_files("alone", "of2")
        self.assertIn("2 processes, ", run.stdout)
        self.assertEqual(run.stdout.count("k_x = "), 1)

    def test_they_solve_together(self):
        image = self.write_raw("rock.raw", rock(SOLVED_SHAPE))
        for ranks, how in ((3, []), (2, ["--solver", "minres", "--axis", "all"]),
                           (2, ["--solver", "minres", "--refine", "2", "--crop", "0:15,0:14,0:16"]),
                           (4, ["--solver", "minres", "--periodic", "--precision", "double"]),
                           (2, ["--solver", "minres", "--mirror", "--fields-format", "vti"]),
                           (2, ["--solver", "minres", "--report", "--no-fields"])):
            alone = self.tessera("permeability", *image, *SOLVED, *how, "--out", "alone")
            self.assertEqual(alone.returncode, DONE, alone.stderr)
            run = self.mpirun(ranks, "permeability", *image, *SOLVED, *how, "--out", "together")
            self.assertEqual(run.returncode, DONE, run.stderr)
            self.assert_same_files("alone", "together")
            one, several = self.results("alone"), self.results("together")
            self.assertEqual(one["permeability"], several["permeability"])
            self.assertEqual(one["permeability"]["x"]["solver"]["name"], "minres")
            workers = several["performance"]["workers"]
            self.assertEqual([w["name"] for w in workers], [f"rank {r} CPU 0" for r in range(ranks)])
            self.assertEqual(several["performance"]["fluid_nodes"], one["performance"]["fluid_nodes"])
            shutil.rmtree(self.path("alone"))
            shutil.rmtree(self.path("together"))

    def test_the_first_of_one_host_has_all_of_it(self):
        image = self.write_raw("rock.raw", rock(SOLVED_SHAPE))
        for how in (["permeability", "--axis", "all"], ["rev", "--edges", "12", "--samples", "3"]):
            command = [how[0], *image, *how[1:]]
            alone = self.tessera(*command, "--out", "alone", environment=ENVIRONMENT)
            run = self.mpirun(3, *command, "--out", "together")
            self.assertEqual((alone.returncode, run.returncode), (DONE, DONE), run.stderr)
            self.assertIn("rank 0 computes alone, with all cores and GPUs of its host", run.stderr)
            self.assertEqual(run.stderr.count("rank 0 computes alone"), 1)
            self.assert_same_files("alone", "together")
            one, several = self.results("alone"), self.results("together")
            self.assertEqual(len(several["performance"]["workers"]), len(one["performance"]["workers"]))
            if how[0] == "permeability":
                self.assertEqual(len(several["run"]["ranks"]), 3)
                self.assertIn("leaves its cores and GPUs to rank 0", several["run"]["ranks"][2])
            shutil.rmtree(self.path("alone"))
            shutil.rmtree(self.path("together"))
        # Its bad input is one line of all, and a signal ends the run as it ends that of one.
        run = self.mpirun(2, "permeability", "missing.raw", "--shape", "4,4,4", "--out", "none")
        self.assertEqual(run.returncode, BAD_INPUT)
        self.assertEqual(run.stderr.count("missing.raw"), 1)
        self.assertFalse(self.path("none").exists())

    def test_they_solve_together_on_gpus(self):
        image = self.write_raw("rock.raw", rock())
        how = ["permeability", *image, "--solver", "minres", "--gpus", "1", "--cores", "0", "--out"]
        alone = self.tessera(*how, "alone")
        if alone.returncode == BAD_INPUT:
            self.skipTest(alone.stderr)
        self.assertEqual(alone.returncode, DONE, alone.stderr)
        for ranks in 2, 3:  # which share it, where there is one
            run = self.mpirun(ranks, *how, f"of{ranks}")
            self.assertEqual(run.returncode, DONE, run.stderr)
            self.assert_same_files("alone", f"of{ranks}")
            one, several = self.results("alone"), self.results(f"of{ranks}")
            self.assertEqual(one["permeability"], several["permeability"])
            self.assertEqual([w["name"] for w in several["performance"]["workers"]],
                             [f"rank {r} CUDA 0" for r in range(ranks)])

    def test_they_say_what_each_has_of_a_flow_that_they_solve(self):
        image = self.write_raw("rock.raw", rock(SOLVED_SHAPE))
        run = self.mpirun(3, "permeability", *image, *SOLVED, "--solver", "minres", "--verbose", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        shares = re.findall(r"rank (\d): (\d+) nodes and (\d+) of others beside them; .* MB at most", run.stderr)
        self.assertEqual([rank for rank, _, _ in shares], ["0", "1", "2"])
        self.assertEqual(sum(int(nodes) for _, nodes, _ in shares), self.results()["performance"]["fluid_nodes"])
        self.assertTrue(all(int(others) > 0 for _, _, others in shares))

    def test_any_number_iterates_on_from_what_any_number_has_left(self):
        image = self.write_raw("rock.raw", rock(SOLVED_SHAPE))
        how = ["permeability", *image, *SOLVED, "--solver", "minres"]
        self.assertEqual(self.tessera(*how, "--out", "whole").returncode, DONE)
        for first, then in (3, 1), (1, 2), (2, 3):
            run = self.mpirun(first, *how, "--max-steps", "12", "--checkpoint", "60", "--out", "out")
            self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
            run = self.mpirun(then, "permeability", *image, *SOLVED, "--resume", "--out", "out")
            self.assertEqual(run.returncode, DONE, run.stderr)
            self.path("out/checkpoint.h5").unlink()
            self.assert_same_files("whole", "out")
            self.assertEqual(self.results("whole")["permeability"], self.results("out")["permeability"])
            shutil.rmtree(self.path("out"))

    def test_they_write_the_fields_of_a_part_of_an_image_together(self):
        (image, shape) = (self.write_raw("rock.raw", rock()), rock()[1])
        turned = self.path("turned.raw")
        voxels_zyx = np.frombuffer(self.path("rock.raw").read_bytes(), np.uint8).reshape(shape[::-1])
        turned.write_bytes(np.ascontiguousarray(voxels_zyx.T).tobytes())
        for ranks, how in ((3, [*image, "--crop", "1:40,2:23,0:20"]),
                           (2, ["turned.raw", "--shape", ",".join(map(str, shape[::-1])), "--axes", "zyx"]),
                           (2, [*image, "--fields-format", "xdmf"]), (3, [*image, "--fields-format", "npz"])):
            how = ["permeability", *how, *STEPS, "--max-steps", "60", "--out"]
            for out, run in (("alone", self.tessera(*how, "alone")), ("together", self.mpirun(ranks, *how, "together"))):
                self.assertEqual(run.returncode, NOT_CONVERGED, f"{out}: {run.stderr}")
            self.assert_same_files("alone", "together")
            shutil.rmtree(self.path("alone"))
            shutil.rmtree(self.path("together"))

    def test_a_rank_that_cannot_write_its_fields_is_named(self):
        image = self.write_raw("rock.raw", rock())
        how = [BINARY, "permeability", *image, *STEPS, "--max-steps", "60", "--out", "out"]
        # Files of 50 kB at most, which results.json is, too.
        full = ["-np", "1", "sh", "-c", 'ulimit -f 100; exec "$0" "$@"', *how]
        for whose, job in ((0, [*full, ":", "-np", "1", *how]), (1, ["-np", "1", *how, ":", *full])):
            run = subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", *job], cwd=self.folder, text=True,
                                 capture_output=True, timeout=120, check=False,
                                 # Memory that processes share is a file, too.
                                 env={**os.environ, **ENVIRONMENT, "OMPI_MCA_btl": "self,tcp"})
            self.assertEqual(run.returncode, FAILED, run.stderr)
            ours = [line for line in run.stderr.splitlines() if "fields.vtkhdf" in line]
            self.assertEqual(len(ours), 1, run.stderr)
            self.assertRegex(ours[0], rf"rank {whose}: .*File too large")
            self.assertIn("k_x = ", run.stdout)
            self.assertEqual(sorted(p.name for p in self.path("out").iterdir()), ["convergence.csv", "results.json"])
            shutil.rmtree(self.path("out"))

    def test_bench_measures_a_step_and_its_messages(self):
        how = ["bench", "ranks", "--size", "32", "--gpus", "0", "--tiles", "6", "--seconds", "0.05", "--repeats", "1"]
        run = self.mpirun(2, *how, "--cores", "1", "--json", "of2.json")
        self.assertEqual(run.returncode, DONE, run.stderr)
        alone = self.tessera(*how, "--cores", "2", "--json", "alone.json", environment={"STARPU_NCPU": "2"})
        self.assertEqual(alone.returncode, DONE, alone.stderr)
        several, one = (json.loads(self.path(name).read_text())["rocks"] for name in ("of2.json", "alone.json"))
        self.assertEqual([rock["rock"] for rock in several], ["strong", "weak"])
        for rock, same in zip(several, one):
            self.assertEqual(rock["mean_velocity"], same["mean_velocity"])
            self.assertEqual(sum(rank["nodes"] for rank in rock["ranks"]), same["nodes"])
            first, second = rock["ranks"]
            self.assertGreater(first["bytes_sent"], 0)
            self.assertEqual((first["bytes_sent"], second["bytes_sent"]),
                             (second["bytes_received"], first["bytes_received"]))
            for time_of in "step_s", "without_messages_s", "messages_alone_s", "model_s":
                self.assertGreater(rock[time_of], 0)
        self.assertNotIn("hidden", one[0])


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        sys.exit(77)
    unittest.main()
