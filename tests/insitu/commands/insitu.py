# SPDX-License-Identifier: MIT
"""What the tests of scripts that look at the running flow share."""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

# What all tests of commands share. Tests import this module first, and then find those, too.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "interfaces" / "commands"))
from command import BAD_INPUT, BINARY, CommandTest, bent_pores  # noqa: E402  pylint: disable=wrong-import-position
from screen import on_screen  # noqa: E402  pylint: disable=wrong-import-position

HEAD = """# script-version: 2.0
from paraview.simple import *
from paraview import catalyst
options = catalyst.Options()
"""

EXTRACTS = HEAD + """
for name, kind in (("fluid", "VTPD"), ("walls", "VTP"), ("monitor", "CSV"), ("tiles", "VTU")):
    source = TrivialProducer(registrationName=name)
    extractor = CreateExtractor(kind, source, registrationName=name + "1")
    extractor.Writer.FileName = name + "_{timestep:06d}." + kind.lower()
options.ExtractsOutputDirectory = "extracts"
"""


class InSituTest(CommandTest):
    def flow(self, *arguments, display=False, environment=None, voxel_size="2um"):
        """Runs the flow through the bent pores, in steps unless another solver is named; returns the
        finished process."""
        if "--solver" not in arguments:
            arguments = ("--solver", "steps", *arguments)
        image = self.write_raw("pores.raw", bent_pores())
        command = on_screen() if display else ()
        size = ["--voxel-size", voxel_size] if voxel_size else []
        run = [*command, BINARY, "permeability", *image, *size, *arguments]
        variables = {**os.environ, **(environment or {})}
        if not display and environment is None:
            variables.pop("DISPLAY", None)
        return subprocess.run(run, cwd=self.folder, timeout=300, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8", env=variables, check=False)

    def script(self, text, name="script.py"):
        return self.write(name, text.encode())

    def refused(self, *arguments, says, **options):
        self.write_raw("pores.raw", bent_pores())
        for argument in arguments:
            self.assertNotIn("out", argument)
        before = self.files()
        run = self.flow(*arguments, "--out", "out", **options)
        self.assertEqual(run.returncode, BAD_INPUT, run.stderr)
        self.assertRegex(run.stderr, r"\Atessera: [^\n]+\n\Z")
        self.assertIn(says, run.stderr)
        self.assertEqual(self.files(), before)


def missing():
    """What is needed and not there."""
    for program in "pvpython", "Xvfb":
        if shutil.which(program) is None:
            return program
    answer = subprocess.run([BINARY, "permeability", "x.raw", "--out", "x", "--insitu", __file__],
                            stderr=subprocess.PIPE, encoding="utf-8", check=False).stderr
    return "ParaView in this build" if "has no ParaView" in answer else None


def main():
    """Runs the tests of the file, or says what is missing."""
    lacking = missing()
    if lacking:
        print(f"skipped: there is no {lacking}")
        sys.exit(77)
    unittest.main()
