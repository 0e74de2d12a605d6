# SPDX-License-Identifier: MIT
"""Scripts of ParaView Catalyst look at the flow of a case file.
Exits with 77 where there is no ParaView."""

import csv

import insitu
import insitu_extracts
from command import BAD_INPUT, DONE, NOT_CONVERGED

# A ball in a channel whose lid moves; its own force, in SI.
CASE = """
[units]
voxel-size = "10um"
time-step = "1us"
[geometry]
shape = [16, 12, 12]
periodic = ["x", "y"]
[[geometry.solid]]
shape = "sphere"
label = "ball"
center = [7, 6, 5]
radius = 3
[fluid]
viscosity = "1e-5"
[[boundary]]
on = "z+"
type = "moving-wall"
velocity = ["0.2 m/s", 0, 0]
factor = "0.5"
[force]
body = ["5 m/s2", 0, 0]
[stop]
steps = 120
[output.fields]
every = 40
[[output.probe]]
name = "wake"
at = [12, 6, 5]
every = 7
[[output.force]]
name = "drag"
on = "ball"
every = 5
[run]
gpus = 0
tiles = 3
INSITU
"""

INSITU = """[insitu]
script = "script.py"
every = 40
folder = "seen"
"""


class InSituRun(insitu.InSituTest):
    def case(self, in_situ=INSITU, *replaced):
        text = CASE.replace("INSITU", in_situ)
        for old, new in replaced:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.write("case.toml", text.encode())

    def run_case(self, folder, *case, status=DONE):
        run = self.tessera("run", self.case(*case), "--out", folder, environment={"DISPLAY": ""})
        self.assertEqual(run.returncode, status, run.stderr)
        return run

    def refuses(self, says, *case):
        """Found by --check already; and nothing is left behind."""
        arguments = ["run", self.case(*case)]
        for how in ["--check"], ["--out", "out"]:
            self.assert_refused(*arguments, *how, says=says, environment={"DISPLAY": ""})

    def test_scripts_see_what_is_written_and_change_nothing(self):
        self.script(insitu.EXTRACTS)
        self.run_case("with")
        self.run_case("without", "")
        extracts = self.path("with/seen/extracts")
        for step, name in (40, "fields-40"), (120, "fields"):
            insitu_extracts.check(self.path(f"without/{name}.vtkhdf"), extracts, step, 1e-2, "z", 0.1)
        results = [self.results(folder) for folder in ("with", "without")]
        self.assertEqual(results[0]["forces"], results[1]["forces"])
        for name in "wake.csv", "drag.csv":
            self.assertEqual(self.path("with/" + name).read_bytes(),
                             self.path("without/" + name).read_bytes(), name)
        report = results[0]["insitu"]
        self.assertEqual((report["executions"], report["errors"]), (4, []))
        self.assertGreater(report["bytes"], 0)
        self.assertNotIn("insitu", results[1])
        with (extracts / "monitor_000080.csv").open(encoding="utf-8") as file:
            row = next(csv.DictReader(file))
        self.assertEqual(float(row["step"]), 80)
        self.assertAlmostEqual(float(row["time"]), 80e-6)
        self.assertAlmostEqual(float(row["mass"]), 1, places=5)

    def test_a_script_steers(self):
        """It asks for fields and a checkpoint, multiplies the force, and stops the run."""
        self.script(insitu.HEAD + "TrivialProducer(registrationName='monitor')\n"
                    "steering = CreateSteerableParameters('TesseraSteering')\n"
                    "def catalyst_execute(info):\n"
                    "    if info.timestep == 300:\n"
                    "        steering.Fields = 1\n        steering.BodyForceFactor = 0\n"
                    "        steering.Checkpoint = 1\n"
                    "    if info.timestep == 1000:\n"
                    "        steering.Stop = 1\n")
        still = ("factor = \"0.5\"", "factor = \"0\""), ("[output.fields]\nevery = 40\n", "")
        steps = ("steps = 120", "steps = 100000"), ("every = 40", "every = 50")
        run = self.run_case("out", INSITU, *still, *steps, status=NOT_CONVERGED)
        self.assertIn("stopped by a script", run.stdout)
        self.assertIn("in situ: ", run.stdout)
        self.assertEqual(self.results()["stop"]["reason"], "stopped by a script")
        asked_for = [name for name in self.files() if name.startswith("out/fields-")]
        self.assertEqual(len(asked_for), 1, asked_for)
        self.assertIn("out/checkpoint.h5", self.files())
        self.assertEqual(self.results()["performance"]["checkpoints"]["written"], 1)
        # Without its force, and the lid at rest, the flow dies down.
        with self.path("out/wake.csv").open(encoding="utf-8") as file:
            speeds = [float(row["ux"]) for row in csv.DictReader(file)]
        self.assertLess(speeds[-1], 0.5 * max(speeds))

    def test_a_script_gets_the_fields_that_it_asks_for_in_its_last_look(self):
        self.script(insitu.HEAD + "TrivialProducer(registrationName='monitor')\n"
                    "steering = CreateSteerableParameters('TesseraSteering')\n"
                    "def catalyst_execute(info):\n"
                    "    if info.timestep == 120:\n        steering.Fields = 1\n")
        self.run_case("out", INSITU, ("[output.fields]\nevery = 40\n", "[output.fields]\nfinal = false\n"))
        self.assertEqual([name for name in self.files() if "fields" in name], ["out/fields-120.vtkhdf"])

    def test_what_cannot_be_looked_at_is_refused(self):
        self.refuses("case.toml: [insitu] nothing.py: no such file",
                     INSITU.replace("script.py", "nothing.py"))
        self.refuses("a case has no permeability", INSITU.replace("script.py", "permeability-plot"))
        self.refuses("xvfb-run -a tessera", INSITU.replace("script.py", "slice"))

    def test_a_wrong_script_is_refused_where_it_is_to_end_the_run(self):
        self.script(insitu.HEAD + "import no_such_module\n")
        run = self.run_case("out", INSITU + 'errors = "stop"\n', status=BAD_INPUT)
        self.assertIn("case.toml: [insitu]", run.stderr)
        self.assertIn("No module named 'no_such_module'", run.stderr)
        self.assertFalse(self.path("out").exists())

    def test_a_folder_that_cannot_be_made_is_refused(self):
        self.script(insitu.EXTRACTS)
        case = self.case(INSITU.replace('"seen"', '"../case.toml/seen"'))
        self.assert_refused("run", case, "--out", "out", says="cannot make",
                            environment={"DISPLAY": ""})


if __name__ == "__main__":
    insitu.main()
