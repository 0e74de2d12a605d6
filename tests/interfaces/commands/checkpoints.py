# SPDX-License-Identifier: MIT
"""What the tests of checkpoints share: a case and a permeability that are written down."""

from command import DONE, NOT_CONVERGED, CommandTest

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


class CheckpointTest(CommandTest):
    def run_case(self, out, steps, *arguments, tiles=2, status=NOT_CONVERGED, change=("", "")):
        text = CASE.replace("STEPS", str(steps)).replace("TILES", str(tiles)).replace(*change)
        case = self.write("case.toml", text.encode())
        done = self.tessera("run", case, "--out", out, *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def permeability(self, out, *arguments, status=DONE):
        done = self.tessera("permeability", *self.image, "--gpus", 0, "--tolerance", "1e-4",
                            "--solver", "steps", "--out", out, *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return self.results(out)["permeability"]
