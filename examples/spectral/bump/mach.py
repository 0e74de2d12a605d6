# script-version: 2.0
# SPDX-License-Identifier: MIT
"""A picture of the Mach number, drawn while the gas is computed; of a mesh in a plane.

Arguments: --colour FIELD (mach, density, pressure, entropy; default mach), --width PIXELS.
"""
import argparse

from paraview import catalyst
from paraview.simple import *
from tessera_insitu import bounds_of, largest, smallest

parser = argparse.ArgumentParser(exit_on_error=False)
parser.add_argument("--colour", choices=["mach", "density", "pressure", "entropy"], default="mach")
parser.add_argument("--width", type=int, default=1000)
arguments = parser.parse_args(catalyst.get_args())
field = arguments.colour

fluid = TrivialProducer(registrationName="fluid")
fluid.UpdatePipeline()
bounds = bounds_of(fluid)
width, height = (bounds[2 * a + 1] - bounds[2 * a] for a in (0, 1))
margin, below = 20, 100  # around the mesh; below it: the bar

pixels = [arguments.width, round((arguments.width - 2 * margin) * height / width) + 2 * margin + below]
view = CreateView("RenderView")
view.ViewSize = pixels
view.OrientationAxesVisibility = 0
view.UseFXAA = 0
view.UseLight = 0
view.UseColorPaletteForBackground = 0
view.Background = [1, 1, 1]

colours = GetColorTransferFunction(field)
colours.ApplyPreset("Viridis (matplotlib)", True)
display = Show(fluid, view)
display.Representation = "Surface"
display.ColorArrayName = ["POINTS", field]
display.LookupTable = colours

bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = {"mach": "Mach number"}.get(field, field), ""
bar.TitleColor = bar.LabelColor = [0, 0, 0]
bar.TitleFontSize = bar.LabelFontSize = 16
bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%.2f", "%.3f"
bar.Orientation, bar.WindowLocation, bar.ScalarBarLength = "Horizontal", "Any Location", 0.4
bar.Position = [0.55, 10 / pixels[1]]
bar.Visibility = 1

title = Text(Text="")
words = Show(title, view)
words.WindowLocation, words.Position = "Any Location", [margin / pixels[0], 40 / pixels[1]]
words.FontSize, words.Color = 16, [0, 0, 0]

# The mesh fills the upper part.
each = width / (pixels[0] - 2 * margin)  # of the mesh, a pixel
view.CameraParallelProjection = 1
view.CameraParallelScale = pixels[1] / 2 * each
view.CameraFocalPoint = [(bounds[0] + bounds[1]) / 2, bounds[3] + margin * each - pixels[1] / 2 * each, 0]
view.CameraPosition = [*view.CameraFocalPoint[:2], 10 * max(width, height)]
view.CameraViewUp = [0, 1, 0]

picture = CreateExtractor("PNG", view, registrationName="picture")
picture.Trigger = "TimeStep"
picture.Writer.FileName = field + "_{timestep:07d}.png"
picture.Writer.ImageResolution = pixels

options = catalyst.Options()
options.GlobalTrigger = "TimeStep"
options.ExtractsOutputDirectory = ""


def catalyst_execute(info):
    fluid.UpdatePipeline(info.time)
    least, most = fluid.PointData[field].GetRange()
    least, most = smallest(least), largest(most)
    colours.RescaleTransferFunction(least, max(most, least + 1e-6))
    title.Text = f"step {info.timestep}, time {info.time:.4g}"
