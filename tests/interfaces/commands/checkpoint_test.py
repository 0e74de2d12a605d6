# SPDX-License-Identifier: MIT
"""A run that is written down and goes on later: the results of one in one piece, bit by bit."""

import shutil
import signal
import subprocess
import sys
import unittest

try:
    import h5py
except ImportError as error:
    print(error)
    sys.exit(77)

from checkpoints import CASE, CheckpointTest
from command import BAD_INPUT, BINARY, DONE, NOT_CONVERGED, bent_pores


class Checkpoints(CheckpointTest):
    def expect_same_files(self, first, second):
        """All tables, and all values of all fields; files of HDF5 have times in them."""
        names = sorted(p.name for p in self.path(first).iterdir())
        self.assertEqual(names, sorted(p.name for p in self.path(second).iterdir()))
        for name in names:
            a, b = self.path(first) / name, self.path(second) / name
            if name.endswith(".csv"):
                self.assertEqual(a.read_text(encoding="utf-8"), b.read_text(encoding="utf-8"))
            elif name.endswith(".vtkhdf"):
                with h5py.File(a) as one, h5py.File(b) as two:
                    fields = one["VTKHDF/PointData"]
                    for key in fields:
                        self.assertEqual(fields[key][:].tobytes(),
                                         two["VTKHDF/PointData"][key][:].tobytes(), (name, key))

    def test_a_case_in_three_parts_on_other_tiles_is_that_of_one_piece(self):
        self.run_case("whole", 400)
        self.run_case("parts", 175)
        self.run_case("parts", 300, "--resume", tiles=5)
        done = self.run_case("parts", 400, "--resume", tiles=1)
        self.assertIn("400 steps (300 of them earlier)", done.stdout)
        self.expect_same_files("whole", "parts")
        whole, parts = (self.results(out) for out in ("whole", "parts"))
        for key in "forces", "flow":
            self.assertEqual(whole[key], parts[key])
        self.assertEqual(whole["stop"]["change"], parts["stop"]["change"])
        self.assertEqual(parts["stop"]["resumed_after_step"], 300)
        self.assertIsNone(whole["stop"]["resumed_after_step"])
        # Whoever asks again gets the same again.
        self.run_case("parts", 400, "--resume")
        self.expect_same_files("whole", "parts")

    def test_without_a_checkpoint_it_begins(self):
        self.run_case("out", 30, "--resume")
        self.assertIsNone(self.results("out")["stop"]["resumed_after_step"])

    def test_goes_on_with_a_case_that_writes_more(self):
        self.run_case("out", 30)
        extra = ("[run]", '[[output.probe]]\nname = "front"\nat = [4, 9, 5]\nevery = 5\n[run]')
        self.run_case("out", 40, "--resume", change=extra)
        front = self.path("out/front.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual([row.split(",")[0] for row in front[1:]], ["35", "40"])
        # A table is of one place.
        self.run_case("out", 60, "--resume", change=("at = [26, 9, 5]", "at = [27, 9, 5]"))
        behind = self.path("out/behind.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual([row.split(",")[0] for row in behind[1:]], ["60"])

    def test_a_case_with_other_parameters_keeps_its_records_apart(self):
        self.run_case("begun", 150)
        before = self.path("begun/drag.csv").read_text(encoding="utf-8")
        for change, said in (
                (("relaxation-time = 0.6", "relaxation-time = 0.7"), "relaxation time 0.6 -> 0.7"),
                (("0.05*(1", "0.04*(1"), "velocity on x- ("),
                (("1 + 0.1*sin(t/20)", "1 + 0.1*sin(t/30)"), "factor on x- '1 + 0.1*sin(t/20)' -> '"),
                (("[stop]", "[force]\nbody = [1e-6, 0, 0]\n[stop]"), "body force (0, 0, 0) -> (1e-06")):
            folder = self.path("out")
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(self.path("begun"), folder)
            done = self.run_case("out", 200, "--resume", change=change)
            lines = [line for line in done.stderr.splitlines() if "is forgotten" in line]
            self.assertEqual(len(lines), 1, done.stderr)
            self.assertIn("out/checkpoint.h5: after step 150: " + said, lines[0])
            steps = [row.split(",")[0] for row in
                     (folder / "drag.csv").read_text(encoding="utf-8").splitlines()[1:]]
            self.assertEqual(steps, ["160", "170", "180", "190", "200"])
            old = (folder / "drag-until-150.csv").read_text(encoding="utf-8")
            self.assertEqual(old, before)
            self.assertTrue((folder / "averages-until-150.vtkhdf").exists())
            # 140 steps would have been looked at before, and 210 comes after the end.
            self.assertIsNone(self.results("out")["stop"]["change"])
            self.assertEqual(self.results("out")["stop"]["changed_parameters"],
                             [lines[0].split(".h5: ")[1].split(";")[0]])

    def test_steadiness_is_not_judged_from_states_that_are_closer_than_asked_for(self):
        self.run_case("out", 139)  # looked at after step 70
        looks = ("every = 70 }", "every = 140 }")
        self.run_case("out", 141, "--resume", change=looks)
        self.assertEqual(self.results("out")["stop"]["change"], 1)  # from rest

    def test_a_case_that_is_steady_is_done(self):
        steady = ("tolerance = 1e-9, every = 70", "tolerance = 0.2, every = 20")
        self.run_case("out", 400, change=steady, status=DONE)
        once = self.results("out")["stop"]
        self.assertTrue(once["steady"])
        self.run_case("out", 400, "--resume", change=steady, status=DONE)
        again = self.results("out")["stop"]
        self.assertEqual((again["steps"], again["change"], again["steady"]), (once["steps"], once["change"], True))
        self.run_case("out", once["steps"] + 20, "--resume", change=(steady[0], steady[1].replace("0.2", "1e-6")))
        self.assertEqual(self.results("out")["stop"]["steps"], once["steps"] + 20)

    def test_a_permeability_in_parts_is_that_of_one_piece(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        whole = self.permeability("whole")["x"]
        end = whole["steps"]
        # After the first point; on another, between its halves, after it, at the decision on it.
        for steps in 22, 40, 41, 42, 45, end - 30, end - 1:
            out = f"parts-{steps}"
            self.permeability(out, "--max-steps", steps, "--checkpoint", 60, status=NOT_CONVERGED)
            self.assertEqual(self.permeability(out, "--resume")["x"], whole, steps)
            self.path(out + "/checkpoint.h5").unlink()
            self.expect_same_files("whole", out)

    def test_a_permeability_with_other_parameters_is_judged_anew(self):
        """Each is that of a run of its own, whatever the flow was before."""
        self.image = self.write_raw("pores.raw", bent_pores())
        first = {"--relaxation-time": 0.6, "--body-force": 1e-6, "--precision": "double"}
        for changed, said in (
                ({"--relaxation-time": 2}, "relaxation time 0.6 -> 2"),
                ({"--body-force": 1e-3}, "body force 1e-06 -> 0.001"),
                ({"--magic": 10}, "magic 0.1875 -> 10"),
                ({"--collision": "bgk", "--relaxation-time": 3}, "relaxation time 0.6 -> 3, collis"),
                ({"--equilibrium": "navier-stokes"}, "equilibrium stokes -> navier-stokes")):
            before, options = ([word for pair in of.items() for word in pair]
                               for of in (first, first | changed))
            own = self.permeability("own", *options)["x"]
            self.permeability("out", *before, "--checkpoint", 60)
            done = self.tessera("permeability", *self.image, "--gpus", 0, "--tolerance", "1e-4",
                                "--out", "out", *options, "--resume")
            self.assertEqual(done.returncode, DONE, done.stderr)
            lines = [line for line in done.stderr.splitlines() if "is forgotten" in line]
            self.assertEqual(len(lines), 1, done.stderr)
            self.assertIn(": " + said, lines[0])
            self.assertIn("; the flow goes on from its state", lines[0])
            there = self.results("out")["permeability"]["x"]
            self.assertAlmostEqual(there["k_lattice"] / own["k_lattice"], 1, delta=2e-4)
            # The series is of one flow, from behind the change on.
            rows = self.path("out/convergence.csv").read_text(encoding="utf-8").splitlines()[1:]
            change = int(lines[0].split("after step ")[1].split(":")[0])
            self.assertGreater(int(rows[0].split(",")[0]), change)
            # What comes of it is a flow that is done.
            self.permeability("out", *options, "--resume")
            again = self.results("out")["permeability"]["x"]
            self.assertEqual(again, there)

    def test_tolerance_tiles_and_scheduler_change_no_flow(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        whole = self.permeability("whole")["x"]
        self.permeability("out", "--max-steps", 150, "--checkpoint", 60, status=NOT_CONVERGED)
        done = self.tessera("permeability", *self.image, "--gpus", 0, "--tolerance", "1e-4", "--out",
                            "out", "--resume", "--tiles", 3, "--scheduler", "eager", "--cores", 1)
        self.assertNotIn("is forgotten", done.stderr)
        self.assertEqual(self.results("out")["permeability"]["x"], whole)
        self.path("out/checkpoint.h5").unlink()
        self.expect_same_files("whole", "out")

    def test_fields_are_as_good_behind_a_run_without_them(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        whole = self.permeability("whole")["x"]
        short = self.permeability("out", "--no-fields", "--checkpoint", 60)["x"]
        self.assertLess(short["steps"], whole["steps"])
        self.assertGreaterEqual(self.permeability("out", "--resume")["x"]["steps"], whole["steps"])

    def test_all_axes_go_on(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        whole = self.permeability("whole", "--axis", "all")
        self.permeability("parts", "--axis", "all", "--max-steps", 150, "--checkpoint", 60,
                          status=NOT_CONVERGED)
        self.assertEqual(self.permeability("parts", "--axis", "all", "--resume"), whole)
        # A damaged one is found before the others take their time.
        before = self.path("parts/results.json").read_bytes()
        content = self.path("parts/checkpoint-z.h5").read_bytes()
        self.path("parts/checkpoint-z.h5").write_bytes(content[:-1])
        done = self.tessera("permeability", *self.image, "--gpus", 0, "--out", "parts", "--axis",
                            "all", "--resume")
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("parts/checkpoint-z.h5: damaged", done.stderr)
        self.assertEqual(self.path("parts/results.json").read_bytes(), before)

    def test_a_batch_system_that_ends_the_run_loses_nothing(self):
        case = self.write("case.toml", CASE.replace("STEPS", "1000000").replace("TILES", "2")
                          .replace("{ every = 130 }", "{ minutes = 60 }").encode())
        with subprocess.Popen([BINARY, "run", case, "--out", "out"], cwd=self.folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while not self.path("out/fields-100.vtkhdf").exists():
                self.assertIsNone(process.poll())
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=120), NOT_CONVERGED)
        steps = self.results("out")["stop"]["steps"]
        self.assertGreaterEqual(steps, 100)
        self.run_case("out", steps + 50, "--resume")
        self.assertEqual(self.results("out")["stop"]["resumed_after_step"], steps)


if __name__ == "__main__":
    unittest.main()
