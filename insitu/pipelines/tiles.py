# script-version: 2.0
# SPDX-License-Identifier: MIT
"""A picture of the tiles, coloured by the time that each took since the last one: the balance.

Arguments: --colour seconds|worker|domain|nodes|tile (seconds), --width PIXELS (900).
"""
import argparse

from paraview import catalyst
from paraview.simple import *
from tessera_insitu import largest, smallest, total

parser = argparse.ArgumentParser(exit_on_error=False)
parser.add_argument("--colour", choices=["seconds", "worker", "domain", "nodes", "tile"],
                    default="seconds")
parser.add_argument("--width", type=int, default=900)
arguments = parser.parse_args(catalyst.get_args())

tiles = TrivialProducer(registrationName="tiles")
tiles.UpdatePipeline()
boxes = Shrink(registrationName="boxes", Input=tiles, ShrinkFactor=0.85)

view = CreateView("RenderView")
view.ViewSize = [arguments.width, int(0.75 * arguments.width)]
view.OrientationAxesVisibility = 1
view.UseColorPaletteForBackground = 0
view.Background = [1, 1, 1]

colours = GetColorTransferFunction(arguments.colour)
colours.ApplyPreset("Viridis (matplotlib)", True)
display = Show(boxes, view)
display.Representation = "Surface With Edges"
display.Opacity = 0.75
display.ColorArrayName = ["CELLS", arguments.colour]
display.LookupTable = colours

bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = "seconds in steps" if arguments.colour == "seconds" else arguments.colour, ""
bar.TitleColor = bar.LabelColor = [0, 0, 0]
bar.WindowLocation, bar.Position, bar.ScalarBarLength = "Any Location", [0.86, 0.2], 0.6
bar.Visibility = 1

title = Text(Text="")
words = Show(title, view)
words.WindowLocation, words.Position = "Any Location", [0.02, 0.02]
words.FontSize, words.Color = 14, [0, 0, 0]

ResetCamera(view)
view.CameraViewUp = [0, 0, 1]
focus = list(view.CameraFocalPoint)
view.CameraPosition = [focus[0] - 0.6, focus[1] - 1.5, focus[2] + 0.8]
ResetCamera(view)

picture = CreateExtractor("PNG", view, registrationName="tiles")
picture.Trigger = "TimeStep"
picture.Writer.FileName = "tiles_{timestep:07d}.png"
picture.Writer.ImageResolution = view.ViewSize

options = catalyst.Options()
options.GlobalTrigger = "TimeStep"
options.ExtractsOutputDirectory = ""


def catalyst_execute(info):
    boxes.UpdatePipeline(info.time)
    least, most = boxes.CellData[arguments.colour].GetRange()
    least, most = smallest(least), largest(most)
    colours.RescaleTransferFunction(min(least, 0), most if most > 0 else 1)
    count = total(boxes.GetDataInformation().GetNumberOfCells())
    title.Text = f"{count:.0f} tiles, step {info.timestep}"
