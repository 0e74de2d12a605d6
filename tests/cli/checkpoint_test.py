# SPDX-License-Identifier: MIT
"""A run that is written down and goes on later: the results of one in one piece, bit by bit."""

import signal
import subprocess
import sys
import unittest

try:
    import h5py
except ImportError as error:
    print(error)
    sys.exit(77)

from command import BAD_INPUT, BINARY, DONE, NOT_CONVERGED, CommandTest, bent_pores

CASE = """
[geometry]
shape = [40, 24, 14]
[[geometry.solid]]
shape = "sphere"
label = "ball"
center = [14, 12, 7]
radius = 4
[fluid]
relaxation-time = 0.6
[model]
precision = "double"
[[boundary]]
on = "x-"
type = "velocity"
velocity = ["0.05*(1+0.1*sin(2*pi*y/24))", 0, 0]
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
at = [30, 12, 7]
every = 20
[[output.line]]
name = "axis"
from = [0, 12, 7]
to = [40, 12, 7]
every = 200
[[output.force]]
name = "drag"
on = "ball"
every = 10
[run]
gpus = 0
tiles = TILES
"""


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
        extra = ("[run]", '[[output.probe]]\nname = "front"\nat = [4, 12, 7]\nevery = 5\n[run]')
        self.run_case("out", 40, "--resume", change=extra)
        front = self.path("out/front.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual([row.split(",")[0] for row in front[1:]], ["35", "40"])

    def test_refuses_what_belongs_to_another_flow(self):
        self.run_case("out", 30)
        for change, complaint in (
                (('"double"', '"single"'), 'of a flow with the precision "double": expected "sing'),
                (("radius = 4", "radius = 5"), "of another geometry"),
                (("[40, 24, 14]", "[40, 25, 14]"), "of a flow with the shape [40,24,14]")):
            done = self.run_case("out", 40, "--resume", status=BAD_INPUT, change=change)
            said = done.stderr.splitlines()[-1]  # behind warnings
            self.assertIn("tessera: out/checkpoint.h5: " + complaint, said)
        self.path("out/checkpoint.h5").write_bytes(b"half")
        done = self.run_case("out", 40, "--resume", status=BAD_INPUT)
        self.assertIn("no complete HDF5 file", done.stderr)
        done = self.run_case("out", 40, "--checkpoint", "0", status=BAD_INPUT)
        self.assertIn("--checkpoint 0: expected a positive number of minutes", done.stderr)

    def permeability(self, out, *arguments, status=DONE):
        done = self.tessera("permeability", *self.image, "--gpus", 0, "--tolerance", "1e-4",
                            "--out", out, *arguments)
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

    def test_all_axes_go_on(self):
        self.image = self.write_raw("pores.raw", bent_pores())
        whole = self.permeability("whole", "--axis", "all")
        self.permeability("parts", "--axis", "all", "--max-steps", 150, "--checkpoint", 60,
                          status=NOT_CONVERGED)
        self.assertEqual(self.permeability("parts", "--axis", "all", "--resume"), whole)

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
