# SPDX-License-Identifier: MIT
"""Frames that several MPI ranks hand over in parts are to scripts what one rank hands over.
Exits with 77 where there is no ParaView or no mpirun."""

import csv
import json
import pathlib
import shutil
import subprocess
import sys

import insitu
from command import BINARY

PROGRAM = pathlib.Path(BINARY).parent / "insitu_ranks"
READ_BACK = pathlib.Path(__file__).resolve().parent / "insitu_ranks_extracts.py"

SCRIPT = insitu.HEAD + """
fluid = TrivialProducer(registrationName="fluid")
points = CellDatatoPointData(Input=fluid)
contour = Contour(Input=points, ContourBy=["POINTS", "pressure"], Isosurfaces=[40.25])
plane = Slice(Input=fluid)
plane.SliceType.Origin, plane.SliceType.Normal = [12.0, 5.0, 4.3], [0.0, 0.0, 1.0]
for name, source in ("fluid", fluid), ("contour", contour), ("plane", plane):
    extractor = CreateExtractor("VTPD", source, registrationName=name + "1")
    extractor.Writer.FileName = name + "_{timestep:06d}.vtpd"
for name, kind in ("tiles", "VTU"), ("monitor", "CSV"):
    source = TrivialProducer(registrationName=name)
    extractor = CreateExtractor(kind, source, registrationName=name + "1")
    extractor.Writer.FileName = name + "_{timestep:06d}." + kind.lower()
# Of a size that is the same on all ranks, in colours likewise.
view = CreateView("RenderView")
view.ViewSize = [120, 90]
view.CameraPosition, view.CameraFocalPoint = [12, 5, 60], [12, 5, 4]
display = Show(plane, view)
display.ColorArrayName = ["CELLS", "pressure"]
display.LookupTable = GetColorTransferFunction("pressure")
display.LookupTable.RescaleTransferFunction(35, 45)
picture = CreateExtractor("PNG", view, registrationName="picture")
picture.Writer.FileName, picture.Writer.ImageResolution = "picture.png", view.ViewSize
options.ExtractsOutputDirectory = ""
"""


class Ranks(insitu.InSituTest):
    def extracts(self, ranks):
        """What the script extracted from frames of so many ranks, put together."""
        folder = f"of{ranks}"
        run = subprocess.run(["xvfb-run", "-a", "mpirun", "--oversubscribe", "-np", str(ranks), PROGRAM,
                              self.script(SCRIPT), folder], cwd=self.folder, timeout=300,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                             check=False)
        self.assertEqual(run.returncode, 0, run.stdout)
        seen = subprocess.run(["pvpython", READ_BACK, folder], cwd=self.folder, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                              check=False)
        self.assertEqual(seen.returncode, 0, seen.stderr)
        with self.path(folder + "/monitor_000100.csv").open(encoding="utf-8") as file:
            return json.loads(seen.stdout.splitlines()[-1]), list(csv.DictReader(file))

    def test_two_ranks_hand_over_what_one_does(self):
        one, row_of_one = self.extracts(1)
        two, row_of_two = self.extracts(2)
        self.assertEqual([one["parts"], two["parts"]], [1, 2])
        self.assertEqual([one["tiles"], two["tiles"]], [[0], [0, 1]])
        self.assertEqual(*(self.path(folder + "/picture.png").read_bytes() for folder in ("of1", "of2")))
        # All voxels once, and every number as it was made.
        self.assertEqual(one["wrong"], [])
        self.assertEqual(two["wrong"], [])
        # The plane and the contour across the border: as large as in one piece, without a seam.
        self.assertEqual(one["plane"], two["plane"])
        self.assertGreater(one["contour_area"], 20)
        self.assertAlmostEqual(one["contour_area"] / two["contour_area"], 1, places=5)
        self.assertEqual(one["contour_open_edges"], two["contour_open_edges"])
        self.assertEqual(len(row_of_one), 1)
        self.assertEqual(row_of_one, row_of_two)


if __name__ == "__main__":
    if shutil.which("mpirun") is None or not PROGRAM.exists():
        print("skipped: there is no mpirun, or no ParaView in this build")
        sys.exit(77)
    insitu.main()
