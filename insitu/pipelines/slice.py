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
bounds = fluid.GetDataInformation().GetBounds()
edges = [bounds[2 * a + 1] - bounds[2 * a] for a in range(3)]
centre = [(bounds[2 * a] + bounds[2 * a + 1]) / 2 for a in range(3)]
normal = "xyz".index(arguments.normal) if arguments.normal else edges.index(min(edges))
right, up = [a for a in range(3) if a != normal]

# One layer of voxels. (The filter Slice cuts along any plane; it looks at all voxels to do so.)
plane = ProgrammableFilter(registrationName="plane", Input=fluid, OutputDataSetType="vtkPolyData")
plane.Script = f"""
from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter
from vtkmodules.vtkImagingCore import vtkExtractVOI
image = self.GetInputDataObject(0, 0).GetPartition(0)
layer = list(image.GetExtent())
middle = (layer[{2 * normal}] + layer[{2 * normal + 1}]) // 2
layer[{2 * normal}:{2 * normal + 2}] = middle, middle + 1
extract = vtkExtractVOI()
extract.SetInputData(image)
extract.SetVOI(layer)
surface = vtkDataSetSurfaceFilter()
surface.SetInputConnection(extract.GetOutputPort())
surface.Update()
self.GetOutputDataObject(0).ShallowCopy(surface.GetOutput())
"""

view = CreateView("RenderView")
margin = 1.12  # for the title below and a rim
view.ViewSize = [arguments.width,
                 int(arguments.width * 0.8 * edges[up] / edges[right] * margin)]
view.OrientationAxesVisibility = 0
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
bar.Title, bar.ComponentTitle = "speed in m/s", ""
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

options = catalyst.Options()
options.GlobalTrigger = "TimeStep"
options.ExtractsOutputDirectory = ""


def catalyst_execute(info):
    plane.UpdatePipeline(info.time)
    data = plane.CellData["velocity"]
    fastest = data.GetRange(-1)[1] if data else 0
    colours.RescaleTransferFunction(0, fastest or 1)
    title.Text = f"{'xyz'[normal]} = {centre[normal]:.3g} m, step {info.timestep}, {info.time:.3g} s"
