# script-version: 2.0
# SPDX-License-Identifier: MIT
"""A picture of the speed in a plane through the middle of the sample.

Arguments: --normal x|y|z (default: across the shortest edge), --width PIXELS (900).
"""
import argparse

from paraview import catalyst
from paraview.simple import *

parser = argparse.ArgumentParser(exit_on_error=False)
parser.add_argument("--normal", choices=["x", "y", "z"])
parser.add_argument("--width", type=int, default=900)
arguments = parser.parse_args(catalyst.get_args())

fluid = TrivialProducer(registrationName="fluid")
fluid.UpdatePipeline()
in_si = fluid.FieldData["in_si"].GetRange()[0] == 1  # else lattice units
bounds = fluid.GetDataInformation().GetBounds()
edges = [bounds[2 * a + 1] - bounds[2 * a] for a in range(3)]
centre = [(bounds[2 * a] + bounds[2 * a + 1]) / 2 for a in range(3)]
normal = "xyz".index(arguments.normal) if arguments.normal else edges.index(min(edges))
right, up = [a for a in range(3) if a != normal]

# One layer of voxels. (The filter Slice cuts along any plane; it looks at all voxels to do so.) The
# squares are the same in each frame: only the velocity is looked up.
plane = ProgrammableFilter(registrationName="plane", Input=fluid, OutputDataSetType="vtkPolyData")
plane.Script = f"""
import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

image = self.GetInputDataObject(0, 0).GetPartition(0)
lower, cells = image.GetExtent()[::2], [n - 1 for n in image.GetDimensions()]
middle = int({centre[normal]} / image.GetSpacing()[{normal}] + 0.01)
layer = [slice(None)] * 3
layer[{2 - normal}] = middle - lower[{normal}]
layer = tuple(layer)

def of_layer(name):
    values = vtk_to_numpy(image.GetCellData().GetArray(name))
    return values.reshape(cells[::-1] + list(values.shape[1:]))[layer]

if not hasattr(self, "squares"):
    self.squares = vtkPolyData()
    self.is_here = 0 <= middle - lower[{normal}] < cells[{normal}]  # of several ranks
    if self.is_here:
        self.fluid = of_layer("vtkGhostType") == 0
        rows, columns = (n + 1 for n in self.fluid.shape)
        corners = numpy.zeros((rows, columns, 3))
        corners[..., {normal}] = middle
        corners[..., {right}] = lower[{right}] + numpy.arange(columns)
        corners[..., {up}] = lower[{up}] + numpy.arange(rows)[:, None]
        places = corners.reshape(-1, 3) * image.GetSpacing()
        first = (numpy.arange(rows - 1)[:, None] * columns + numpy.arange(columns - 1))[self.fluid]
        quads = numpy.stack([first, first + 1, first + columns + 1, first + columns], 1)
        points, polygons = vtkPoints(), vtkCellArray()
        points.SetData(numpy_to_vtk(places, deep=1))
        polygons.SetData(4, numpy_to_vtkIdTypeArray(quads.ravel(), deep=1))
        self.squares.SetPoints(points)
        self.squares.SetPolys(polygons)
output = self.GetOutputDataObject(0)
output.ShallowCopy(self.squares)
if self.is_here:
    velocity = numpy_to_vtk(of_layer("velocity")[self.fluid], deep=1)
    velocity.SetName("velocity")
    output.GetCellData().AddArray(velocity)
"""

view = CreateView("RenderView")
margin = 1.12  # for the title below and a rim
view.ViewSize = [arguments.width,
                 int(arguments.width * 0.8 * edges[up] / edges[right] * margin)]
view.OrientationAxesVisibility = 0
view.UseFXAA = 0  # voxels have sharp edges; and it would be half of the work
view.UseColorPaletteForBackground = 0
view.Background = [1, 1, 1]

colours = GetColorTransferFunction("velocity")
colours.ApplyPreset("Viridis (matplotlib)", True)
colours.VectorMode = "Magnitude"
display = Show(plane, view)
display.Representation = "Surface"
display.ColorArrayName = ["CELLS", "velocity"]
display.LookupTable = colours
display.Ambient, display.Diffuse, display.Specular = 1, 0, 0  # the colours as they are
frame = Show(Outline(Input=plane), view)
frame.AmbientColor = frame.DiffuseColor = [0.5, 0.5, 0.5]

bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = f"speed in {'m/s' if in_si else 'lattice units'}", ""
bar.TitleColor = bar.LabelColor = [0, 0, 0]
bar.TitleFontSize = bar.LabelFontSize = 14
bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%.1e", "%.1e"
bar.WindowLocation, bar.Position, bar.ScalarBarLength = "Any Location", [0.86, 0.2], 0.6
bar.Visibility = 1

title = Text(Text="")
words = Show(title, view)
words.WindowLocation, words.Position = "Any Location", [0.02, 0.01]
words.FontSize, words.Color = 14, [0, 0, 0]

# Looks along the normal, from where right and up are axes; the sample fills the left part.
view.CameraParallelProjection = 1
view.CameraParallelScale = edges[up] / 2 * margin
view.CameraFocalPoint = [c + (0.1 * edges[right] if a == right else 0) for a, c in enumerate(centre)]
side = 1 if normal != 1 else -1
view.CameraPosition = [f + (side * 2 * max(edges) if a == normal else 0)
                       for a, f in enumerate(view.CameraFocalPoint)]
view.CameraViewUp = [1.0 if a == up else 0.0 for a in range(3)]

picture = CreateExtractor("PNG", view, registrationName="slice")
picture.Trigger = "TimeStep"
picture.Writer.FileName = "slice_{timestep:07d}.png"
picture.Writer.ImageResolution = view.ViewSize

shown = []  # upper ends of the colours so far

options = catalyst.Options()
options.GlobalTrigger = "TimeStep"
options.ExtractsOutputDirectory = ""


def catalyst_execute(info):
    plane.UpdatePipeline(info.time)
    data = plane.CellData["velocity"]
    fastest = data.GetRange(-1)[1] if data else 0
    most = float(f"{fastest:.1e}") or 1  # what the bar can say; rescaling takes longer than drawing
    if most not in shown[-1:]:
        colours.RescaleTransferFunction(0, most)
        shown.append(most)
    at, time = ("m", f", {info.time:.3g} s") if in_si else ("voxels", "")
    title.Text = f"{'xyz'[normal]} = {centre[normal]:.3g} {at}, step {info.timestep}{time}"
