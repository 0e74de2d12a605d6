# SPDX-License-Identifier: MIT
"""The fields of a flow open in ParaView and can be coloured by speed. Exits with 77 where there is
no ParaView."""

import pathlib
import shutil
import subprocess
import sys
import unittest

from command import DONE, CommandTest, bent_pores
from screen import on_screen

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "io" / "paraview_opens_fields.py"


class Paraview(CommandTest):
    def test_fields_open_and_can_be_coloured(self):
        image = self.write_raw("pores.raw", bent_pores())
        run = self.tessera("permeability", *image, "--voxel-size", "2um", "--quiet", "--out", "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        seen = subprocess.run([*on_screen(), "pvpython", SCRIPT, "out/fields.vtkhdf",
                               "12", "10", "8", "2e-6"], cwd=self.folder, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                              check=False)
        self.assertEqual(seen.returncode, 0, seen.stdout)
        self.assertTrue(seen.stdout.endswith("ok\n"), seen.stdout)


if __name__ == "__main__":
    for program in "pvpython", "Xvfb":
        if shutil.which(program) is None:
            print(f"skipped: there is no {program}")
            sys.exit(77)
    unittest.main()
