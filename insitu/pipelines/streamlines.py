# script-version: 2.0
# SPDX-License-Identifier: MIT
"""A picture of stream lines through the sample, coloured by speed.

Arguments: --lines NUMBER (200), --width PIXELS (900).
"""
import argparse

from paraview import catalyst
from paraview.simple import *
from tessera_insitu import bounds_of, largest

parser = argparse.ArgumentParser(exit_on_error=False)
parser.add_argument("--lines", type=int, default=200)
parser.add_argument("--width", type=int, default=900)
arguments = parser.parse_args(catalyst.get_args())

fluid = TrivialProducer(registrationName="fluid")
fluid.UpdatePipeline()
in_si = fluid.FieldData["in_si"].GetRange()[0] == 1  # else lattice units
bounds = bounds_of(fluid)
edges = [bounds[2 * a + 1] - bounds[2 * a] for a in range(3)]
centre = [(bounds[2 * a] + bounds[2 * a + 1]) / 2 for a in range(3)]

# On the corners of the voxels velocities are means of those around them.
points = CellDatatoPointData(registrationName="points", Input=fluid)
lines = StreamTracer(registrationName="lines", Input=points, SeedType="Point Cloud")
lines.Vectors = ["POINTS", "velocity"]
lines.SeedType.Center = centre
lines.SeedType.Radius = max(edges) / 2
lines.SeedType.NumberOfPoints = arguments.lines
lines.MaximumStreamlineLength = 4 * max(edges)
tubes = Tube(registrationName="tubes", Input=lines, NumberofSides=8)
tubes.Radius = 0.004 * max(edges)

view = CreateView("RenderView")
view.ViewSize = [arguments.width, int(0.75 * arguments.width)]
view.OrientationAxesVisibility = 1
view.UseColorPaletteForBackground = 0
view.Background = [1, 1, 1]

colours = GetColorTransferFunction("velocity")
colours.ApplyPreset("Viridis (matplotlib)", True)
colours.VectorMode = "Magnitude"
display = Show(tubes, view)
display.ColorArrayName = ["POINTS", "velocity"]
display.LookupTable = colours
frame = Show(Outline(Input=fluid), view)
frame.AmbientColor = frame.DiffuseColor = [0.4, 0.4, 0.4]

bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = f"speed in {'m/s' if in_si else 'lattice units'}", ""
bar.TitleColor = bar.LabelColor = [0, 0, 0]
bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%.1e", "%.1e"
bar.WindowLocation, bar.Position, bar.ScalarBarLength = "Any Location", [0.86, 0.2], 0.6
bar.Visibility = 1

title = Text(Text="")
words = Show(title, view)
words.WindowLocation, words.Position = "Any Location", [0.02, 0.02]
words.FontSize, words.Color = 14, [0, 0, 0]

view.CameraFocalPoint = centre
view.CameraPosition = [c + max(edges) * d for c, d in zip(centre, (-0.6, -1.7, 0.8))]
view.CameraViewUp = [0, 0, 1]
ResetCamera(view)

picture = CreateExtractor("PNG", view, registrationName="streamlines")
picture.Trigger = "TimeStep"
picture.Writer.FileName = "streamlines_{timestep:07d}.png"
picture.Writer.ImageResolution = view.ViewSize

options = catalyst.Options()
options.GlobalTrigger = "TimeStep"
options.ExtractsOutputDirectory = ""


def catalyst_execute(info):
    fluid.UpdatePipeline(info.time)
    fastest = largest(fluid.CellData["velocity"].GetRange(-1)[1])
    colours.RescaleTransferFunction(0, fastest / 2 or 1)  # only a few throats are faster
    title.Text = f"step {info.timestep}" + (f", {info.time:.3g} s" if in_si else "")
