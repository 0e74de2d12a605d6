# SPDX-License-Identifier: MIT
"""Scripts of ParaView Catalyst look at a gas of a case file.
Exits with 77 where there is no ParaView."""

import csv
import json
import pathlib
import shutil
import tempfile

import insitu
import insitu_gas_extracts
from command import BAD_INPUT, DONE, FAILED, NOT_CONVERGED
from screen import on_screen

EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples" / "spectral" / "bump"

# Curved, of unlike degrees.
CASE = """
method = "spectral"
[mesh]
box = BOX
cells = CELLS
bend = BEND
degree = "2 + (x > 1)"
periodic = ["x"]
[initial]
density = "1 + 0.1*sin(pi*x)"
velocity = [0.5, 0]
pressure = 0.7
[[boundary]]
on = SIDES
type = "slip-wall"
[time]
cfl = 0.5
[stop]
steps = 40
[output]
records-every = 10
fields = { every = 20 }
[[output.probe]]
name = "inside"
at = [0.7, 0.3]
every = 7
[run]
gpus = 0
tiles = 3
INSITU
"""

# Cells of which each of several processes can have some.
PLANE = {"BOX": "[2, 1]", "CELLS": "[16, 12]", "BEND": '["x", "y + 0.1*(1 - y)*sin(pi*x)"]',
         "SIDES": '["y-", "y+"]'}
SPACE = {"BOX": "[2, 1, 1]", "CELLS": "[12, 4, 4]", "BEND": '["x", "y + 0.1*(1 - y)*sin(pi*x)", "z"]',
         "SIDES": '["y-", "y+", "z-", "z+"]', "velocity = [0.5, 0]": "velocity = [0.5, 0, 0]",
         "at = [0.7, 0.3]": "at = [0.7, 0.3, 0.4]"}

INSITU = """[insitu]
script = "script.py"
every = 20
"""
BOTH = """[insitu]
script = ["extracts.py", "looks.py"]
every = 20
errors = "stop"
"""

# All points one by one, and a picture of the cells, of colours that are not interpolated: their last bits are the order's.
LOOKS = insitu.HEAD + """
fluid = TrivialProducer(registrationName="fluid")
points = CreateExtractor("CSV", fluid, registrationName="points")
points.Writer.FileName = "points_{timestep:06d}.csv"
view = CreateView("RenderView")
view.ViewSize, view.UseLight = [160, 120], 0
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [1.4, 0.8, 4], [1, 0.5, 0], [0, 1, 0]
display = Show(PointDatatoCellData(Input=fluid), view)
ColorBy(display, ("CELLS", "pressure"))
GetColorTransferFunction("pressure").RescaleTransferFunction(0.65, 0.75)
picture = CreateExtractor("PNG", view, registrationName="picture")
picture.Writer.FileName, picture.Writer.ImageResolution = "picture_{timestep:06d}.png", view.ViewSize
options.ExtractsOutputDirectory = ""
"""


class InSituGas(insitu.InSituTest):
    def run_case(self, section, script=insitu.EXTRACTS, words=None, out="out", status=DONE, launcher=()):
        self.script(script)
        text = CASE.replace("INSITU", section)
        for word, value in (words or PLANE).items():
            text = text.replace(word, value)
        self.write("case.toml", text.encode())
        run = self.tessera("run", "case.toml", "--out", out, launcher=launcher)
        self.assertEqual(run.returncode, status, run.stderr)
        return run

    @classmethod
    def setUpClass(cls):
        cls.looked_at = {}  # folders of runs of one process, by their names

    def looked(self, name, words):
        """The folder of a run of one process at which both scripts look. Several tests look at what they saw."""
        if name not in self.looked_at:
            self.script(LOOKS, "looks.py")
            self.script(insitu.EXTRACTS, "extracts.py")
            self.run_case(BOTH, words=words, out="looked", launcher=on_screen())
            kept = pathlib.Path(tempfile.mkdtemp(prefix="tessera-cli-"))
            self.addClassCleanup(shutil.rmtree, kept)
            self.looked_at[name] = shutil.move(self.path("looked"), kept / name)
        return self.looked_at[name]

    def test_frames_are_the_fields_that_are_written_and_nothing_else_changes(self):
        for name, words in ("plane", PLANE), ("space", SPACE):
            looked, alone = self.looked(name, words), self.path(f"{name}-without")
            self.run_case("", words=words, out=alone.name)
            for file in "fields.vtkhdf", "fields-20.vtkhdf", "inside.csv", "records.csv":
                self.assertEqual((looked / file).read_bytes(), (alone / file).read_bytes(), file)
            for step, fields in (20, "fields-20"), (40, "fields"):
                insitu_gas_extracts.check(looked / f"{fields}.vtkhdf",
                                          looked / f"insitu/extracts/fluid_{step:06d}/fluid_{step:06d}_0.vtu")
            report = json.loads((looked / "results.json").read_text(encoding="utf-8"))["insitu"]
            self.assertEqual(report["executions"], 3)
            self.assertEqual(report["errors"], [])
            self.assertGreater(report["bytes"], 0)

    def test_a_script_may_stop_it_and_have_its_fields_written(self):
        """Which would not end by itself."""
        self.run_case(INSITU, insitu.EXTRACTS + "steering = CreateSteerableParameters('TesseraSteering')\n"
                      "def catalyst_execute(info):\n"
                      "    if info.timestep >= 20:\n"
                      "        steering.Fields = 1\n"
                      "        steering.Stop = 1\n",
                      {**PLANE, "steps = 40": "steps = 1000000000", "fields = { every = 20 }": "fields = { final = false }"},
                      status=NOT_CONVERGED)
        results = self.results()
        self.assertEqual(results["stop"]["reason"], "stopped by a script")
        self.assertGreaterEqual(results["stop"]["steps"], 20)
        self.assertEqual(results["insitu"]["errors"], [])
        written = [name for name in self.files() if name.startswith("out/fields")]
        self.assertEqual(len(written), 1, written)

    def test_its_mistakes_end_the_run_where_that_is_asked_for(self):
        self.run_case(INSITU + "errors = \"stop\"\n",
                      insitu.EXTRACTS + "def catalyst_execute(info):\n    if info.timestep > 0: no_such_name\n",
                      {**PLANE, "steps = 40": "steps = 1000000000"}, status=FAILED)
        self.assertEqual(self.results()["stop"]["reason"], "a script failed")

    def test_what_looks_at_voxels_is_refused(self):
        run = self.run_case(INSITU.replace("script.py", "slice"), status=BAD_INPUT)
        self.assertIn("slice: it looks at voxels", run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertFalse(self.path("out").exists())

    @staticmethod
    def points(file):
        """Where each point is, and what is there, in any order."""
        with file.open(encoding="utf-8") as rows:
            return sorted(tuple(sorted(row.items())) for row in csv.DictReader(rows))

    def test_several_processes_show_what_one_shows(self):
        if shutil.which("mpirun") is None:
            self.skipTest("no mpirun")
        # One between two others, and two: each is a ParaView of its own, which takes seconds to start.
        for name, words, ranks in ("plane", PLANE, 3), ("space", SPACE, 2):
            one, several = self.looked(name, words), self.path(f"of{ranks}")
            self.run_case(INSITU + "errors = \"stop\"\n", LOOKS, words, several.name,
                          launcher=(*on_screen(), "mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(ranks)))
            results = self.results(several.name)
            self.assertEqual(results["insitu"]["errors"], [])
            self.assertEqual(len(results["run"]["ranks"]), ranks)
            for step in "000000", "000020", "000040":
                shown = [(folder / f"insitu/picture_{step}.png").read_bytes() for folder in (one, several)]
                self.assertEqual(*shown, step)
                points = [self.points(folder / f"insitu/points_{step}.csv") for folder in (one, several)]
                self.assertGreater(len(points[0]), 1000)
                self.assertEqual(*points, step)

    def test_the_example_draws_its_picture(self):
        run = self.tessera("run", EXAMPLE / "case.toml", "--set", "insitu.script=mach.py:--width 300", "--set",
                           "stop.steps=5", "--set", "insitu.every=5", "--out", "out", launcher=on_screen())
        self.assertEqual(run.returncode, DONE, run.stderr)
        for step in 0, 5:
            self.assertGreater(self.path(f"out/insitu/mach_{step:07d}.png").stat().st_size, 1000)


if __name__ == "__main__":
    insitu.main()
