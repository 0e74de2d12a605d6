# script-version: 2.0
# SPDX-License-Identifier: MIT
"""A picture of the speed in the whole sample: surfaces of equal speed, the slower the clearer.

Arguments: --width PIXELS (900).
"""
import argparse

from paraview import catalyst
from paraview.simple import *
from tessera_insitu import bounds_of, largest

parser = argparse.ArgumentParser(exit_on_error=False)
parser.add_argument("--width", type=int, default=900)
arguments = parser.parse_args(catalyst.get_args())

fluid = TrivialProducer(registrationName="fluid")
fluid.UpdatePipeline()
in_si = fluid.FieldData["in_si"].GetRange()[0] == 1  # else lattice units
bounds = bounds_of(fluid)
edges = [bounds[2 * a + 1] - bounds[2 * a] for a in range(3)]
centre = [(bounds[2 * a] + bounds[2 * a + 1]) / 2 for a in range(3)]

speed = Calculator(registrationName="speed", Input=fluid, AttributeType="Cell Data",
                   ResultArrayName="speed", Function="mag(velocity)")
points = CellDatatoPointData(registrationName="points", Input=speed)

view = CreateView("RenderView")
view.ViewSize = [arguments.width, int(0.75 * arguments.width)]
view.OrientationAxesVisibility = 0
view.UseColorPaletteForBackground = 0
view.Background = [0, 0, 0]

colours = GetColorTransferFunction("speed")
colours.ApplyPreset("Inferno (matplotlib)", True)
shells = []  # each a share of the highest speed, and its surface
for share, opacity in (0.1, 0.15), (0.25, 0.4), (0.5, 1):
    shell = Contour(registrationName=f"shell{share}", Input=points, ContourBy=["POINTS", "speed"],
                    ComputeScalars=1)
    display = Show(shell, view)
    display.ColorArrayName = ["POINTS", "speed"]
    display.LookupTable = colours
    display.Opacity = opacity
    shells.append((share, shell))
frame = Show(Outline(Input=fluid), view)
frame.AmbientColor = frame.DiffuseColor = [0.5, 0.5, 0.5]

bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = f"speed in {'m/s' if in_si else 'lattice units'}", ""
bar.TitleColor = bar.LabelColor = [1, 1, 1]
bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%.1e", "%.1e"
bar.WindowLocation, bar.Position, bar.ScalarBarLength = "Any Location", [0.86, 0.2], 0.6
bar.Visibility = 1

title = Text(Text="")
words = Show(title, view)
words.WindowLocation, words.Position = "Any Location", [0.02, 0.02]
words.FontSize, words.Color = 14, [1, 1, 1]

view.CameraFocalPoint = centre
view.CameraPosition = [c + max(edges) * d for c, d in zip(centre, (-0.6, -1.7, 0.8))]
view.CameraViewUp = [0, 0, 1]
ResetCamera(view)

picture = CreateExtractor("PNG", view, registrationName="velocity-volume")
picture.Trigger = "TimeStep"
picture.Writer.FileName = "velocity-volume_{timestep:07d}.png"
picture.Writer.ImageResolution = view.ViewSize

options = catalyst.Options()
options.GlobalTrigger = "TimeStep"
options.ExtractsOutputDirectory = ""


def catalyst_execute(info):
    points.UpdatePipeline(info.time)
    fastest = largest(points.PointData["speed"].GetRange()[1]) or 1
    colours.RescaleTransferFunction(0, fastest / 2)
    for share, shell in shells:
        shell.Isosurfaces = [share * fastest]
    title.Text = f"step {info.timestep}" + (f", {info.time:.3g} s" if in_si else "")
