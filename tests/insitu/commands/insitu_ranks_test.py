# SPDX-License-Identifier: MIT
"""Frames that several MPI ranks hand over in parts are to scripts what one rank hands over.
Exits with 77 where there is no ParaView or no mpirun."""

import csv
import os
import pathlib
import shutil
import subprocess
import sys

import insitu
import insitu_ranks_extracts
from command import BAD_INPUT, BINARY, NOT_CONVERGED, voxels
from screen import on_screen

PROGRAM = pathlib.Path(BINARY).parent / "insitu_ranks"

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

# A picture of the fluid, the walls one by one, and an end that the script asks for.
LOOKS = insitu.HEAD + """
fluid = TrivialProducer(registrationName="fluid")
walls = TrivialProducer(registrationName="walls")
plane = Slice(Input=fluid)
plane.SliceType.Origin, plane.SliceType.Normal = [12, 5.3, 12], [0.0, 1.0, 0.0]
view = CreateView("RenderView")
view.ViewSize = [120, 90]
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [12, 60, 12], [12, 5, 12], [0, 0, 1]
display = Show(plane, view)
ColorBy(display, ("CELLS", "velocity", "Magnitude"))
GetColorTransferFunction("velocity").RescaleTransferFunction(0, 2e-5)
picture = CreateExtractor("PNG", view, registrationName="picture")
picture.Writer.FileName, picture.Writer.ImageResolution = "picture_{timestep:06d}.png", view.ViewSize
faces = CreateExtractor("CSV", CellCenters(Input=walls), registrationName="faces")
faces.Writer.FileName = "faces_{timestep:06d}.csv"
options.ExtractsOutputDirectory = ""
steering = CreateSteerableParameters("TesseraSteering")
def catalyst_execute(info):
    if info.timestep >= 40:
        steering.Stop = 1
"""


def rock():
    """Pores that lead through along all axes, with blocks for three processes, and their shape."""
    shape = (24, 12, 24)
    return voxels(shape, lambda x, y, z: (x * x + 3 * y * y + 5 * z * z + x * y + 2 * y * z) % 11 < 4
                  and (y % 7 > 1 or z % 5 > 1)), shape


class Ranks(insitu.InSituTest):
    def extracts(self, ranks):
        """What the script extracted from frames of so many ranks, put together."""
        folder = f"of{ranks}"
        run = subprocess.run([*on_screen(), "mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(ranks), PROGRAM,
                              self.script(SCRIPT), folder], cwd=self.folder, timeout=300,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                             check=False)
        self.assertEqual(run.returncode, 0, run.stdout)
        with self.path(folder + "/monitor_000100.csv").open(encoding="utf-8") as file:
            return insitu_ranks_extracts.put_together(self.path(folder)), list(csv.DictReader(file))

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

    def faces(self, file):
        """Where each face of the walls is, and the stress on it, in any order."""
        with self.path(file).open(encoding="utf-8") as rows:
            return sorted(tuple(sorted(row.items())) for row in csv.DictReader(rows))

    def test_a_flow_of_several_processes_is_seen_as_that_of_one(self):
        looks = self.script(LOOKS)
        image = self.write_raw("rock.raw", rock())
        # One between two others on both sides, and two: each is a ParaView of its own, which takes seconds to start.
        for setup, together in (["--periodic", "--axis", "z"], 3), (["--mirror"], 2):
            for ranks in 1, together:
                launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(ranks)]
                run = subprocess.run(
                    [*on_screen(), *launcher, BINARY, "permeability", *image, *setup, "--gpus", "0", "--cores", "1",
                     "--solver", "steps", "--max-steps", "5000", "--insitu", looks, "--insitu-every", "20",
                     "--insitu-errors", "stop", "--out", f"of{ranks}"],
                    cwd=self.folder, timeout=300, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                    env={**os.environ, "STARPU_NCPU": "1"}, check=False)
                self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
                self.assertIn("stopped by a script", run.stdout)
            # The script ends the run at step 40, of which several hear when they look the next time.
            for step in "000000", "000020", "000040":
                one, several = (self.path(f"of{ranks}/insitu/picture_{step}.png").read_bytes() for ranks in (1, together))
                self.assertEqual(one, several, step)
                one, several = (self.faces(f"of{ranks}/insitu/faces_{step}.csv") for ranks in (1, together))
                self.assertGreater(len(one), 1000)
                self.assertEqual(one, several, step)
            for ranks in 1, together:
                self.assertEqual(self.results(f"of{ranks}")["insitu"]["errors"], [])
                shutil.rmtree(self.path(f"of{ranks}"))

    def test_a_mistake_is_one_line_of_all(self):
        image = self.write_raw("rock.raw", rock())
        broken = self.script(insitu.HEAD + "raise ValueError('no')\n", "broken.py")
        run = subprocess.run(
            ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", "2", BINARY, "permeability", *image, "--gpus", "0",
             "--cores", "1", "--solver", "steps", "--insitu", broken, "--insitu-errors", "stop", "--out", "out"],
            cwd=self.folder, timeout=120, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False)
        self.assertEqual(run.returncode, BAD_INPUT, run.stderr)
        self.assertEqual(run.stderr.count("ValueError: no"), 1, run.stderr)
        self.assertFalse(self.path("out").exists())


if __name__ == "__main__":
    if shutil.which("mpirun") is None or not PROGRAM.exists():
        print("skipped: there is no mpirun, or no ParaView in this build")
        sys.exit(77)
    insitu.main()
