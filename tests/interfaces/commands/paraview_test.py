# SPDX-License-Identifier: MIT
"""The fields of a flow open in ParaView and can be coloured by speed; every format opens in the readers of
ParaView and of VTK. Exits with 77 where there is no ParaView."""

import json
import pathlib
import shutil
import subprocess
import sys
import unittest

from command import DONE, CommandTest, bent_pores, duct_case
from screen import on_screen

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "io" / "fields"
FORMATS = "vtkhdf", "xdmf", "vti"


class Paraview(CommandTest):
    def pvpython(self, script, *arguments, launcher=()):
        seen = subprocess.run([*launcher, "pvpython", SCRIPTS / script, *arguments], cwd=self.folder, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        self.assertEqual(seen.returncode, 0, seen.stdout)
        return seen.stdout

    def written(self):
        """Files of fields, those of the same numbers under one name."""
        image = self.write_raw("pores.raw", bent_pores())
        self.write("duct.toml", duct_case("[6, 5, 8]"))
        files = {}
        for ending in FORMATS:
            rock, duct = f"rock-{ending}", f"duct-{ending}"
            for command in (["permeability", *image, "--fields-format", ending, "--out", rock],
                            ["run", "duct.toml", "--set", f"output.fields-format={ending}", "--out", duct]):
                run = self.tessera(*command, "--quiet")
                self.assertEqual(run.returncode, DONE, run.stderr)
            for file in f"{rock}/fields", f"{duct}/fields", f"{duct}/averages":
                files.setdefault(file.replace(f"-{ending}", ""), []).append(f"{file}.{ending}")
        for ending in "vtkhdf", "vti":
            self.assertEqual(self.tessera("info", *image, "--write", f"im.{ending}").returncode, DONE)
            files.setdefault("im", []).append(f"im.{ending}")
        return files

    def test_every_format_opens_in_the_readers_of_paraview_and_of_vtk(self):
        files = self.written()
        said = self.pvpython("readers_of_fields.py", *(file for group in files.values() for file in group))
        found = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        for name, group in files.items():
            read = [one for one in found if one["file"] in group]
            self.assertEqual(len(read), sum(3 if file.endswith("xdmf") else 2 for file in group), said)
            self.assertTrue(read[0]["arrays"])
            for one in read:
                self.assertEqual(one["arrays"], read[0]["arrays"], one)

    def test_fields_open_and_can_be_coloured(self):
        image = self.write_raw("pores.raw", bent_pores())
        run = self.tessera("permeability", *image, "--voxel-size", "2um", "--quiet", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        said = self.pvpython("paraview_opens_fields.py", "out/fields.vtkhdf", "12", "10", "8", "2e-6",
                             launcher=on_screen())
        self.assertTrue(said.endswith("ok\n"), said)


if __name__ == "__main__":
    for program in "pvpython", "Xvfb":
        if shutil.which(program) is None:
            print(f"skipped: there is no {program}")
            sys.exit(77)
    unittest.main()
