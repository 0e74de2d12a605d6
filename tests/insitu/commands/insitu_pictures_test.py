# SPDX-License-Identifier: MIT
"""Scripts of ParaView Catalyst draw pictures of the running flow.
Exits with 77 where there is no ParaView."""

import pathlib
import sys

try:
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOImage import vtkPNGReader
except ImportError as error:
    print(error)
    sys.exit(77)

import insitu
from command import NOT_CONVERGED

ROOT = pathlib.Path(__file__).resolve().parents[3]

# As "File, Save Catalyst State" of the GUI writes it: a reader by its class, with a file that is
# not there in situ, a view with its settings, extractors, options.
EXPORTED = """# script-version: 2.0
# Catalyst state generated using paraview version 5.11.0
import paraview
paraview.compatibility.major = 5
paraview.compatibility.minor = 11

#### import the simple module from the paraview
from paraview.simple import *
#### disable automatic camera reset on 'Show'
paraview.simple._DisableFirstRenderCameraReset()

# ----------------------------------------------------------------
# setup views used in the visualization
# ----------------------------------------------------------------
materialLibrary1 = GetMaterialLibrary()
renderView1 = CreateView('RenderView')
renderView1.ViewSize = [400, 300]
renderView1.AxesGrid = 'GridAxes3DActor'
renderView1.CameraPosition = [1.2e-05, 1e-05, 6e-05]
renderView1.CameraFocalPoint = [1.2e-05, 1e-05, 8e-06]
renderView1.CameraParallelScale = 1.7e-05
SetActiveView(None)
layout1 = CreateLayout(name='Layout #1')
layout1.AssignView(0, renderView1)
SetActiveView(renderView1)

# ----------------------------------------------------------------
# setup the data processing pipelines
# ----------------------------------------------------------------
fluid = XMLPartitionedImageDataReader(registrationName='fluid', FileName=['/home/somebody/fluid.pvti'])
fluid.CellArrayStatus = ['velocity', 'pressure']
fluid.TimeArray = 'None'
slice1 = Slice(registrationName='Slice1', Input=fluid)
slice1.SliceType = 'Plane'
slice1.HyperTreeGridSlicer = 'Plane'
slice1.SliceOffsetValues = [0.0]
slice1.SliceType.Origin = [1.2e-05, 1e-05, 8.1e-06]
slice1.SliceType.Normal = [0.0, 0.0, 1.0]

# ----------------------------------------------------------------
# setup the visualization in view 'renderView1'
# ----------------------------------------------------------------
slice1Display = Show(slice1, renderView1, 'GeometryRepresentation')
velocityLUT = GetColorTransferFunction('velocity')
velocityLUT.RGBPoints = [0.0, 0.23, 0.3, 0.75, 0.0005, 0.87, 0.87, 0.87, 0.001, 0.7, 0.016, 0.15]
velocityLUT.ScalarRangeInitialized = 1.0
slice1Display.Representation = 'Surface'
slice1Display.ColorArrayName = ['CELLS', 'velocity']
slice1Display.LookupTable = velocityLUT

# ----------------------------------------------------------------
# setup extractors
# ----------------------------------------------------------------
pNG1 = CreateExtractor('PNG', renderView1, registrationName='PNG1')
pNG1.Trigger = 'TimeStep'
pNG1.Trigger.Frequency = 100
pNG1.Writer.FileName = 'RenderView1_{timestep:06d}{camera}.png'
pNG1.Writer.ImageResolution = [400, 300]
pNG1.Writer.Format = 'PNG'
vTPD1 = CreateExtractor('VTPD', slice1, registrationName='VTPD1')
vTPD1.Trigger = 'TimeStep'
vTPD1.Writer.FileName = 'Slice1_{timestep:06d}.vtpd'

# ------------------------------------------------------------------------------
# Catalyst options
from paraview import catalyst
options = catalyst.Options()
options.GlobalTrigger = 'TimeStep'
options.CatalystLiveTrigger = 'TimeStep'

# ------------------------------------------------------------------------------
if __name__ == '__main__':
    from paraview.simple import SaveExtractsUsingCatalystOptions
    SaveExtractsUsingCatalystOptions(options)
"""


SPOKEN = """def catalyst_finalize():
    open('spoken-NAME.txt', 'w').write(bar.Title + '; ' + title.Text)
"""


def pixels(*paths):
    """The colours of PNGs, and how many there are."""
    for path in paths:
        reader = vtkPNGReader()
        reader.SetFileName(str(path))
        reader.Update()
        colours = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())
        yield len(numpy.unique(colours, axis=0)), colours[:, :3].tolist()


class Pictures(insitu.InSituTest):
    def assert_shows_the_flow(self, colours, values):
        self.assertGreater(colours, 30, "the picture is flat")
        coloured = sum(1 for r, g, b in values if max(r, g, b) - min(r, g, b) > 30)
        self.assertGreater(coloured, 0.02 * len(values), "there is hardly any colour")

    def that_speaks(self, name):
        """A copy of a pipeline that writes down what its picture says in the end."""
        own = (ROOT / "insitu" / "pipelines" / f"{name}.py").read_text(encoding="utf-8")
        return self.script(own + SPOKEN.replace("NAME", name), f"{name}_.py")

    def spoken(self, name):
        return self.path(f"spoken-{name}.txt").read_text(encoding="utf-8")

    def test_the_pipelines_draw_pictures(self):
        names = ["streamlines", "velocity-volume", "tiles", "permeability-plot", "slice"]
        own_slice = self.that_speaks("slice")
        arguments = [word for name in [*names, own_slice]
                     for word in ("--insitu", name + ":--width 200")]
        run = self.flow(*arguments, "--insitu-every", "200", "--max-steps", "200", "--out", "out",
                        display=True)
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        self.assertEqual(self.results()["insitu"]["errors"], [])
        drawn = ["slice", "streamlines", "velocity-volume", "tiles"]
        for name, picture in zip(drawn, pixels(*(self.path(f"out/insitu/{name}_0000200.png")
                                                 for name in drawn))):
            with self.subTest(pipeline=name):
                self.assert_shows_the_flow(*picture)
        self.assertTrue(self.path("out/insitu/permeability_0000200.png").is_file())
        self.assertTrue(self.path("out/insitu/slice.py").is_file())  # to be changed
        self.assertRegex(self.spoken("slice"), r"\Aspeed in m/s; .* s\Z")

    def test_without_a_voxel_size_pictures_speak_of_lattice_units(self):
        names = ["slice", "streamlines", "velocity-volume"]
        arguments = [word for name in names
                     for word in ("--insitu", self.that_speaks(name) + ":--width 100")]
        run = self.flow(*arguments, "--max-steps", "2", "--out", "out", display=True, voxel_size=None)
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        for name in names:
            with self.subTest(pipeline=name):
                self.assertRegex(self.spoken(name), r"\Aspeed in lattice units; .*[^s]\Z")

    def test_an_exported_state_runs_as_it_is(self):
        """And beside it, a slice: nearly no fluid is fast, so most of its colours are those of the
        lower half."""
        run = self.flow("--insitu", self.script(EXPORTED, "exported.py"), "--insitu",
                        "slice:--normal z --width 300", "--insitu-every", "50", "--max-steps", "100",
                        "--out", "out", display=True)
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        self.assertEqual(self.results()["insitu"]["errors"], [])
        datasets = self.path("out/insitu/datasets")
        self.assertTrue((datasets / "Slice1_000050.vtpd").is_file(), self.files())
        self.assertFalse((datasets / "RenderView1_000050.png").exists())  # its own trigger
        exported, (_, values) = pixels(datasets / "RenderView1_000100.png",
                                       self.path("out/insitu/slice_0000100.png"))
        self.assert_shows_the_flow(*exported)
        slow = sum(1 for r, g, b in values if b > r + 30 and b > 60 and g < 160)  # violet to blue
        fast = sum(1 for r, g, b in values if r > 180 and g > 200 and b < 100)  # yellow
        self.assertGreater(fast, 0)
        self.assertGreater(slow, fast)


if __name__ == "__main__":
    insitu.main()
