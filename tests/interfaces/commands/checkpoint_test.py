# SPDX-License-Identifier: MIT
"""A run that is written down and goes on later: the results of one in one piece, bit by bit."""

import contextlib
import json
import random
import shutil
import signal
import subprocess
import zlib
import sys
import unittest

try:
    import h5py
    import numpy as np
except ImportError as error:
    print(error)
    sys.exit(77)

from command import BAD_INPUT, BINARY, DONE, NOT_CONVERGED, CommandTest, bent_pores

CASE = """
[geometry]
shape = [34, 18, 9]
[[geometry.solid]]
shape = "sphere"
label = "ball"
center = [12, 9, 4.5]
radius = 3
[fluid]
relaxation-time = 0.6
[model]
precision = "double"
[[boundary]]
on = "x-"
type = "velocity"
velocity = ["0.05*(1+0.1*sin(2*pi*y/18))", 0, 0]
factor = "1 + 0.1*sin(t/20)"
[[boundary]]
on = "x+"
type = "outflow"
[[boundary]]
on = "y-"
type = "on-node-wall"
[[boundary]]
on = "ball"
type = "interpolated-wall"
[stop]
steps = STEPS
steady = { tolerance = 1e-9, every = 70 }
[output]
fields = { every = 100 }
checkpoint = { every = 130 }
[output.averages]
from = 50
every = 10
quantities = ["velocity", "density", "reynolds-stresses"]
[[output.probe]]
name = "behind"
at = [26, 9, 5]
every = 20
[[output.line]]
name = "axis"
from = [0, 9, 5]
to = [34, 9, 5]
every = 200
[[output.force]]
name = "drag"
on = "ball"
every = 10
[run]
gpus = 0
tiles = TILES
"""


SEAL = 512


def sealed(rest):
    """Bytes of a checkpoint with the seal that docs/checkpoints.md describes."""
    text = f"Tessera checkpoint\nversion 2\nbytes {SEAL + len(rest)}\ncrc32 {zlib.crc32(rest):08x}\n"
    return text.encode().ljust(SEAL, b"\0") + rest


def set_in_text(checkpoint, path, value):
    text = json.loads(checkpoint["text"][:].tobytes())
    inner = text
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    del checkpoint["text"]
    checkpoint["text"] = np.frombuffer(json.dumps(text).encode(), np.uint8)


class Checkpoints(CommandTest):
    def run_case(self, out, steps, *arguments, tiles=2, status=NOT_CONVERGED, change=("", "")):
        text = CASE.replace("STEPS", str(steps)).replace("TILES", str(tiles)).replace(*change)
        case = self.write("case.toml", text.encode())
        done = self.tessera("run", case, "--out", out, *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

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

    def test_refuses_what_belongs_to_another_flow(self):
        self.run_case("out", 30)
        for change, complaint in (
                (('"double"', '"single"'), "of another flow: precision double -> single"),
                (("radius = 3", "radius = 4"), "of another geometry"),
                (("radius = 3", "radius = 3.0001"), "of another geometry"),  # of the same voxels
                (("[34, 18, 9]", "[34, 19, 9]"), "of another flow: shape (34, 18, 9) -> (34, 1"),
                (('"on-node-wall"', '"slip"'), "of another flow: boundary y- on-node-wall bounce"),
                (('on = "y-"', 'on = "y+"'), "of another flow: boundary y"),
                (("[fluid]", 'periodic = ["z"]\n[fluid]'), "of another flow: periodic axes (fals"),
                (("[model]", '[model]\nlattice = "D3Q27"'), "of another flow: lattice D3Q19 -> D3")):
            if "periodic" in change[1]:
                change = ("[34, 18, 9]", '[34, 18, 9]\nperiodic = ["z"]')
            done = self.run_case("out", 40, "--resume", status=BAD_INPUT, change=change)
            said = done.stderr.splitlines()[-1]  # behind warnings
            self.assertIn("tessera: out/checkpoint.h5: " + complaint, said)
        done = self.run_case("out", 40, "--checkpoint", "0", status=BAD_INPUT)
        self.assertIn("--checkpoint 0: expected a positive number of minutes", done.stderr)

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

    def test_the_commands_refuse_the_checkpoints_of_each_other(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        self.permeability("out", "--checkpoint", 60)
        done = self.run_case("out", 40, "--resume", status=BAD_INPUT)
        self.assertIn("tessera: out/checkpoint.h5: of tessera permeability: expected a checkpoint of "
                      "tessera run", done.stderr)
        self.run_case("case", 30)
        self.path("case/checkpoint.h5").rename(self.path("out/checkpoint.h5"))
        done = self.refused("--resume")
        self.assertIn("tessera: out/checkpoint.h5: of tessera run: expected a checkpoint of tessera "
                      "permeability", done)

    def permeability(self, out, *arguments, status=DONE):
        done = self.tessera("permeability", *self.image, "--gpus", 0, "--tolerance", "1e-4",
                            "--solver", "steps", "--out", out, *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return self.results(out)["permeability"]

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

    def refused(self, *arguments):
        """What is said of a permeability in the folder `out`, one line."""
        done = self.tessera("permeability", *self.image, "--gpus", 0, "--out", "out", *arguments)
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        said = [line for line in done.stderr.splitlines()
                if line.startswith("tessera: ") and "is forgotten" not in line]
        self.assertEqual(len(said), 1, done.stderr)
        return said[0]

    def test_a_permeability_refuses_another_axis_and_another_set_up(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        self.permeability("out", "--checkpoint", 60)
        before = self.path("out/results.json").read_bytes()
        for arguments, said in (
                (["--axis", "y"], "axis x -> y"),
                (["--periodic"], "set-up sealed -> periodic"),
                (["--mirror"], "set-up sealed -> mirrored"),
                (["--buffer-layers", 4], "shape (22, 10, 8) -> (20, 10, 8)"),
                (["--lattice", "D3Q27"], "lattice D3Q19 -> D3Q27"),
                (["--precision", "double"], "precision single -> double")):
            self.assertIn("tessera: out/checkpoint.h5: of another flow: " + said,
                          self.refused("--resume", *arguments))
        # Along the flow alone, nothing of its box tells a sealed sample from one that wraps.
        self.permeability("out", "--buffer-layers", 0, "--checkpoint", 60)
        self.assertIn("set-up sealed -> periodic", self.refused("--resume", "--periodic"))
        self.assertNotEqual(before, self.path("out/results.json").read_bytes())

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

    def test_another_flow_needs_steps_of_its_own(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        self.permeability("out", "--max-steps", 100, "--checkpoint", 60, status=NOT_CONVERGED)
        said = self.refused("--resume", "--relaxation-time", 2, "--max-steps", 100)
        self.assertIn("--max-steps 100: expected more than the 100 steps that the flow has taken with "
                      "other parameters", said)

    def test_a_damaged_checkpoint_is_refused_in_one_line(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        self.permeability("out", "--checkpoint", 60)
        file = self.path("out/checkpoint.h5")
        whole = file.read_bytes()
        self.assertEqual(sealed(whole[SEAL:]), whole)
        chance = random.Random(7)
        for _ in range(6):
            place = chance.randrange(SEAL, len(whole))
            flipped = bytes([whole[place] ^ 1 << chance.randrange(8)])
            file.write_bytes(whole[:place] + flipped + whole[place + 1:])
            self.assertIn("tessera: out/checkpoint.h5: damaged: ", self.refused("--resume"))
        file.write_bytes(whole[:4096] + bytes(512) + whole[4608:])
        self.assertIn("tessera: out/checkpoint.h5: damaged: ", self.refused("--resume"))
        for content, said in ((whole[:-1], "damaged"), (b"half", "no checkpoint"), (b"", "no check"),
                              (whole[SEAL:], "of version 1, or no checkpoint: expected")):
            file.write_bytes(content)
            self.assertIn("tessera: out/checkpoint.h5: " + said, self.refused("--resume"))

    def test_values_that_no_run_writes_are_refused_though_their_checksum_is_right(self):
        """A series that no step would ever reach, steps below 0, and whatever else JSON can hold."""
        self.image = self.write_raw("pores.raw", bent_pores())
        self.permeability("out", "--max-steps", 150, "--checkpoint", 60, status=NOT_CONVERGED)
        for path, value in ((["step"], -1), (["step"], 1e300), (["step"], 2**64 - 1), (["step"], 2**53),
                            (["run"], 7), (["flow"], []), (["parameters"], None), (["command"], None),
                            (["history"], [1]), (["history"], None), (["run", "next"], 0), (["run", "next"], 2**62),
                            (["run", "next"], "7"), (["run", "spacing"], 0),
                            (["run", "spacing"], 2**60), (["run", "taken"], 3),
                            (["run", "body_force_factor"], None), (["run", "body_force_factor"], 0),
                            (["run", "convergence"], {}), (["run", "convergence", "values"], ["x"]),
                            (["run", "convergence", "values"], [None]), (["run", "convergence", "values"], 99 * [1]),
                            (["run", "convergence", "good_in_a_row"], -1)):
            with self.resealed() as opened:
                set_in_text(opened, path, value)
            self.assertIn("tessera: out/checkpoint.h5: ", self.refused("--resume"), path)
        with self.resealed() as opened:  # rows of steps that were never taken
            opened["arrays/history"][0] = 1e6
        self.assertIn("tessera: out/checkpoint.h5: damaged: 'history'", self.refused("--resume"))

    def test_states_that_no_iteration_leaves_are_refused(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        begun = self.tessera("permeability", *self.image, "--gpus", 0, "--solver", "minres", "--max-steps", 6,
                             "--checkpoint", 60, "--out", "out")
        self.assertEqual(begun.returncode, NOT_CONVERGED, begun.stderr)
        for values in slice(None), slice(-10, None), slice(-10, -8):  # all of them, counts and norms, the counts
            with self.resealed() as opened:
                populations = opened["populations"][:]
                populations[values] = 1e30
                opened["populations"][:] = populations
            self.assertIn("out/checkpoint.h5: damaged: its state is none that 6 iterations lead to", self.refused("--resume"))
        for path, value in ((["step"], 5), (["run", "iterations", 0], 1e300), (["run", "body_force_factor"], 0)):
            with self.resealed() as opened:
                set_in_text(opened, path, value)
            self.assertIn("tessera: out/checkpoint.h5: damaged: ", self.refused("--resume"), path)

    def test_records_that_no_case_leaves_are_refused(self):
        self.run_case("out", 60)
        for path, value in ((["run", "largest_speed"], -1), (["run", "records", "averages", "states"], 2**40),
                            (["run", "records", "averages", "last"], 61), (["run", "change"], -1)):
            with self.resealed() as opened:
                set_in_text(opened, path, value)
            done = self.run_case("out", 80, "--resume", status=BAD_INPUT)
            self.assertIn("tessera: out/checkpoint.h5: damaged: ", done.stderr, path)
        with self.resealed() as opened:
            opened["arrays/table-drag"][0] = -1e300
        self.assertIn("damaged: 'drag' has no rows", self.run_case("out", 80, "--resume", status=BAD_INPUT).stderr)

    @contextlib.contextmanager
    def resealed(self):
        """The checkpoint as it was written, to be changed, under a seal that is right again."""
        file = self.path("out/checkpoint.h5")
        whole = self.path("whole.h5")
        if not whole.exists():
            shutil.copy(file, whole)
        shutil.copy(whole, file)
        with h5py.File(file, "r+") as opened:
            yield opened
        file.write_bytes(sealed(file.read_bytes()[SEAL:]))

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
