# script-version: 2.0
# SPDX-License-Identifier: MIT
"""A picture of the speed in a plane through the middle of the sample.

Arguments: --normal x|y|z (default: across the shortest edge), --width PIXELS (default: so that an
edge has some 500, each voxel the same number).
"""
import argparse
import math

from paraview import catalyst
from paraview.simple import *
from tessera_insitu import bounds_of, largest

parser = argparse.ArgumentParser(exit_on_error=False)
parser.add_argument("--normal", choices=["x", "y", "z"])
parser.add_argument("--width", type=int)
arguments = parser.parse_args(catalyst.get_args())

fluid = TrivialProducer(registrationName="fluid")
fluid.UpdatePipeline()
in_si = fluid.FieldData["in_si"].GetRange()[0] == 1  # else lattice units
bounds = bounds_of(fluid)
spacing = fluid.GetClientSideObject().GetOutputDataObject(0).GetPartition(0).GetSpacing()[0]
edges = [bounds[2 * a + 1] - bounds[2 * a] for a in range(3)]
centre = [(bounds[2 * a] + bounds[2 * a + 1]) / 2 for a in range(3)]
normal = "xyz".index(arguments.normal) if arguments.normal else edges.index(min(edges))
right, up = [a for a in range(3) if a != normal]

# One layer of voxels. (The filter Slice cuts along any plane; it looks at all voxels to do so.) The
# squares are the same in each frame: only the velocity is looked up. The line around them has none.
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
        around = numpy.full((4, 3), places[0, {normal}])  # the whole image, whose part this may be
        around[:, {right}] = {[bounds[2 * right + i] for i in (0, 1, 1, 0)]}
        around[:, {up}] = {[bounds[2 * up + i] for i in (0, 0, 1, 1)]}
        places = numpy.concatenate([places, around])
        first = (numpy.arange(rows - 1)[:, None] * columns + numpy.arange(columns - 1))[self.fluid]
        border = rows * columns + numpy.array([0, 1, 2, 3, 0])
        quads = numpy.stack([first, first + 1, first + columns + 1, first + columns], 1)
        points, line, polygons = vtkPoints(), vtkCellArray(), vtkCellArray()
        points.SetData(numpy_to_vtk(places, deep=1))
        line.SetData(5, numpy_to_vtkIdTypeArray(border, deep=1))
        polygons.SetData(4, numpy_to_vtkIdTypeArray(quads.ravel(), deep=1))
        self.squares.SetPoints(points)
        self.squares.SetLines(line)
        self.squares.SetPolys(polygons)
output = self.GetOutputDataObject(0)
output.ShallowCopy(self.squares)
if self.is_here:
    of_squares = of_layer("velocity")[self.fluid]
    velocity = numpy_to_vtk(numpy.concatenate([numpy.zeros_like(of_squares[:1]), of_squares]), deep=1)
    velocity.SetName("velocity")
    output.GetCellData().AddArray(velocity)
"""

# In pixels. Time goes with their number: on two cores there is no graphics card.
voxels = [round(edge / spacing) for edge in edges]
rim, beside = 12, 140  # around the sample; right of it: the bar
each = max(1, round(512 / max(voxels[right], voxels[up])))
if arguments.width:
    beside = min(beside, 0.2 * arguments.width)
    each = (arguments.width - rim - beside) / voxels[right]
width = round(rim + each * voxels[right] + beside)
height = round(each * voxels[up])
below = max(22, round(0.06 * height))  # the title; and as much above

view = CreateView("RenderView")
view.ViewSize = [width, height + 2 * below]
view.OrientationAxesVisibility = 0
view.UseFXAA = 0  # voxels have sharp edges; and it would be half of the work
view.UseLight = 0  # the colours as they are; and light takes time for each pixel
view.UseColorPaletteForBackground = 0
view.Background = [1, 1, 1]

colours = GetColorTransferFunction("velocity")
colours.ApplyPreset("Viridis (matplotlib)", True)
colours.VectorMode = "Magnitude"
display = Show(plane, view)
display.Representation = "Surface"
display.ColorArrayName = ["CELLS", "velocity"]
display.LookupTable = colours

bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = f"speed in {'m/s' if in_si else 'lattice units'}", ""
bar.TitleColor = bar.LabelColor = [0, 0, 0]
bar.TitleFontSize = bar.LabelFontSize = 14
bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%.1e", "%.1e"
bar.WindowLocation, bar.ScalarBarLength = "Any Location", 0.6
bar.Position = [1 - 0.82 * beside / width, 0.2]
bar.Visibility = 1

title = Text(Text="")
words = Show(title, view)
words.WindowLocation, words.Position = "Any Location", [rim / width, 0.01]
words.FontSize, words.Color = 14, [0, 0, 0]

# Looks along the normal, from where right and up are axes; the sample fills the left part.
view.CameraParallelProjection = 1
view.CameraParallelScale = (height / 2 + below) * spacing / each
view.CameraFocalPoint = [bounds[2 * right] + (width / 2 - rim) * spacing / each if a == right else c
                         for a, c in enumerate(centre)]
side = 1 if normal != 1 else -1
view.CameraPosition = [f + (side * 2 * max(edges) if a == normal else 0)
                       for a, f in enumerate(view.CameraFocalPoint)]
view.CameraViewUp = [1.0 if a == up else 0.0 for a in range(3)]

picture = CreateExtractor("PNG", view, registrationName="slice")
picture.Trigger = "TimeStep"
picture.Writer.FileName = "slice_{timestep:07d}.png"
picture.Writer.ImageResolution = view.ViewSize

# Upper ends of the colours, of which the last is shown. Only these, so that they stay for a while:
# new colours take longer than drawing.
STEPS = [1, 1.1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3.2, 3.6, 4, 4.5, 5, 5.6, 6.3, 7.1, 8, 9, 10]
shown = []


def upper_end(value):
    decade = 10.0 ** math.floor(math.log10(value)) if value > 0 else 1
    return next(step * decade for step in STEPS if step * decade >= 0.9999 * value)


options = catalyst.Options()
options.GlobalTrigger = "TimeStep"
options.ExtractsOutputDirectory = ""


def catalyst_execute(info):
    plane.UpdatePipeline(info.time)
    data = plane.CellData["velocity"]
    fastest = largest(data.GetRange(-1)[1] if data else 0)
    most = upper_end(fastest)
    if most not in shown[-1:]:
        colours.RescaleTransferFunction(0, most)
        shown.append(most)
    at, time = ("m", f", {info.time:.3g} s") if in_si else ("voxels", "")
    title.Text = f"{'xyz'[normal]} = {centre[normal]:.3g} {at}, step {info.timestep}{time}"
