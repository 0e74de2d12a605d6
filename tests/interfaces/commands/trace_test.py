# SPDX-License-Identifier: MIT
"""`--trace`: what StarPU recorded of the workers, for ViTE and as a picture."""

import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from command import BINARY, DONE, FAILED, SOURCE, CommandTest, tube

SVG = "{http://www.w3.org/2000/svg}"

CASE = """
[geometry]
shape = [8, 8, 8]
periodic = ["x", "y", "z"]
[fluid]
viscosity = 0.1
[force]
body = [1e-6, 0, 0]
[stop]
steps = 2000
[output]
fields = { final = false }
[run]
gpus = 0
"""


def can_trace():
    """StarPU can be built without FxT: the command says so before it computes anything."""
    with tempfile.TemporaryDirectory() as folder:
        content, shape = tube()
        with open(os.path.join(folder, "tube.raw"), "wb") as file:
            file.write(content)
        run = subprocess.run([BINARY, "permeability", "tube.raw", "--shape",
                              ",".join(map(str, shape)), "--quiet", "--out", "out", "--trace",
                              "trace"], cwd=folder, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, encoding="utf-8", timeout=300, check=False)
    return "built without FxT" not in run.stderr


CAN_TRACE = can_trace()


class Trace(CommandTest):
    def setUp(self):
        super().setUp()
        self.image = self.write_raw("tube.raw", tube())
        # What is left in the temporary folder shows.
        self.path("temporary").mkdir()
        self.environment = {"TMPDIR": str(self.path("temporary"))}

    def trace(self, *arguments):
        run = self.tessera("permeability", *self.image, "--gpus", "0", "--no-fields", "--quiet",
                           "--out", "out", "--trace", "trace", *arguments,
                           environment=self.environment)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (DONE, "", ""))

    def assert_picture(self, name, *expected):
        """It has a row for each worker, and bars of one of the expected kinds of tasks in it: of those that take most."""
        drawing = xml.etree.ElementTree.parse(self.path(name)).getroot()
        self.assertEqual(drawing.tag, SVG + "svg")
        rows = [text.text for text in drawing.iter(SVG + "text") if text.get("class") == "row"]
        info = self.path("out/results.json").read_text(encoding="utf-8")
        self.assertGreater(len(rows), 0)
        self.assertEqual(len(rows), info.count('"busy_s"'))
        kinds = [title.text.split(",")[0] for title in drawing.iter(SVG + "title")]
        self.assertTrue(set(expected) & set(kinds), kinds)
        for bar in drawing.iter(SVG + "rect"):
            if bar.find(SVG + "title") is not None:
                self.assertGreaterEqual(float(bar.get("x")), 0)
                self.assertGreaterEqual(float(bar.get("width")), 0)

    @unittest.skipUnless(CAN_TRACE, "StarPU has no FxT")
    def test_it_leaves_a_trace_and_a_picture_and_nothing_else(self):
        self.trace("--solver", "steps", "--mirror")
        self.assertEqual(self.files(), ["out", "out/convergence.csv", "out/results.json",
                                        "temporary", "trace", "trace/paje.trace",
                                        "trace/workers.svg", "tube.raw"])
        paje = self.path("trace/paje.trace").read_text(encoding="utf-8")
        self.assertIn("%EventDef", paje)
        self.assertIn("collide_stream", paje)
        self.assert_picture("trace/workers.svg", "collide_stream")

    @unittest.skipUnless(CAN_TRACE, "StarPU has no FxT")
    def test_a_case_leaves_one_too(self):
        self.path("case.toml").write_text(CASE, encoding="utf-8")
        run = self.tessera("run", "case.toml", "--quiet", "--out", "out", "--trace", "trace", environment=self.environment)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (DONE, "", ""))
        self.assertIn("collide_stream", self.path("trace/paje.trace").read_text(encoding="utf-8"))
        self.assert_picture("trace/workers.svg", "collide_stream")
        self.assertEqual(os.listdir(self.path("temporary")), [])

    @unittest.skipUnless(CAN_TRACE, "StarPU has no FxT")
    def test_a_gas_leaves_one_too(self):
        case = SOURCE / "examples" / "spectral" / "vortex" / "case.toml"
        run = self.tessera("run", case, "--set", "N=4", "--set", "steps=96", "--gpus", "0", "--quiet", "--out", "out", "--trace",
                           "trace", environment=self.environment)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (DONE, "", ""))
        self.assert_picture("trace/workers.svg", "gas_stage")

    @unittest.skipUnless(CAN_TRACE, "StarPU has no FxT")
    def test_each_axis_has_its_own(self):
        self.image = self.write_raw("open.raw", (bytes(511) + b"\1", (8, 8, 8)))
        self.trace("--axis", "all", "--periodic", "--max-steps", "100000")
        for axis in "xyz":
            self.assertTrue(self.path(f"trace/paje-{axis}.trace").is_file())
            self.assert_picture(f"trace/workers-{axis}.svg", "collide_stream")
        self.assertEqual(os.listdir(self.path("temporary")), [])
        self.trace("--axis", "all", "--periodic")
        for axis in "xyz":
            paje = self.path(f"trace/paje-{axis}.trace").read_text(encoding="utf-8")
            for piece in "set up", "iterate", "confirm", "sums":
                self.assertIn(piece, paje)
            self.assert_picture(f"trace/workers-{axis}.svg", "set up", "iterate")
        self.assertEqual(os.listdir(self.path("temporary")), [])

    @unittest.skipUnless(CAN_TRACE, "StarPU has no FxT")
    def test_many_flows_leave_one(self):
        self.image = self.write_raw("open.raw", (bytes(511) + b"\1", (8, 8, 8)))
        for command in (["rev", *self.image, "--edges", "6", "--samples", "4"],
                        ["phases", *self.image, "--phase", "fluid=0", "--solid", "1"]):
            run = self.tessera(*command, "--gpus", "0", "--quiet", "--out", "out", "--trace", "trace",
                               environment=self.environment)
            self.assertEqual((run.returncode, run.stdout), (DONE, ""), run.stderr)
            self.assertIn("prepare", self.path("trace/paje.trace").read_text(encoding="utf-8"))
            self.assert_picture("trace/workers.svg", "compute")
            self.assertEqual(os.listdir(self.path("temporary")), [])

    @unittest.skipUnless(CAN_TRACE, "StarPU has no FxT")
    def test_a_place_that_cannot_be_written_is_reported(self):
        self.write("taken", b"mine")
        run = ["permeability", *self.image, "--quiet", "--out", "out", "--trace"]
        self.assert_refused(*run, "taken", status=FAILED,
                            says="--trace taken: cannot make this folder")
        self.assert_refused(*run, "/proc/tessera", status=FAILED, says="/proc/tessera")
        self.assert_refused(*run, "here", status=FAILED, says="TMPDIR",
                            environment={"TMPDIR": "/proc"})

    @unittest.skipIf(CAN_TRACE, "StarPU has FxT")
    def test_without_fxt_it_is_refused_before_anything_is_written(self):
        self.assert_refused("permeability", *self.image, "--out", "out", "--trace", "trace",
                            status=FAILED, says="built without FxT")

    def test_without_the_option_nothing_is_recorded(self):
        run = self.tessera("permeability", *self.image, "--quiet", "--out", "out",
                           environment={**self.environment, "USER": "tessera-test",
                                        "STARPU_FXT_PREFIX": str(self.path("temporary"))})
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertEqual(os.listdir(self.path("temporary")), [])


if __name__ == "__main__":
    program = unittest.main(exit=False)
    if not program.result.wasSuccessful():
        sys.exit(1)
    sys.exit(0 if CAN_TRACE else 77)
