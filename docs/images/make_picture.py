# SPDX-License-Identifier: MIT
"""Draws the picture of README.md: stream lines through a pack of spheres, coloured by speed.

    tessera generate spheres --size 144,72,72 --radius 11 --porosity 0.42 --seed 4 --out pack.raw
    tessera permeability pack.raw --shape 144,72,72 --voxel-size 5um --out pack
    xvfb-run -a pvpython docs/images/make_picture.py pack/fields.vtkhdf docs/images/flow.png
"""

import sys

from paraview import simple
from vtkmodules.vtkFiltersCore import vtkFlyingEdges3D
from vtkmodules.vtkImagingCore import vtkExtractVOI, vtkImageCast, vtkImageConstantPad
from vtkmodules.vtkImagingGeneral import vtkImageGaussianSmooth

SIZE = [860, 430]
STONE = [0.9, 0.84, 0.75]
GREY = [0.4, 0.4, 0.4]
BLACK = [0.1, 0.1, 0.1]


def grains(fields, extent):
    """The solid of the rear half, so that the flow in front of it is seen."""
    image = simple.FetchData(fields)[0]
    image.GetPointData().SetActiveScalars("solid")
    half = vtkExtractVOI()
    half.SetVOI(*extent[:2], (extent[2] + extent[3]) // 2, extent[3], *extent[4:])
    half.SetInputData(image)
    closed = vtkImageConstantPad()  # a layer of pore around it closes the surface
    closed.SetOutputWholeExtent(*(end + (1 if i % 2 else -1) for i, end in enumerate(half.GetVOI())))
    real = vtkImageCast()
    real.SetOutputScalarTypeToFloat()
    smooth = vtkImageGaussianSmooth()  # blurred, "solid" loses its staircase
    smooth.SetStandardDeviations(1, 1, 1)
    surface = vtkFlyingEdges3D()
    surface.SetValue(0, 0.5)
    chain = [half, closed, real, smooth, surface]
    for before, after in zip(chain, chain[1:]):
        after.SetInputConnection(before.GetOutputPort())
    surface.Update()
    producer = simple.TrivialProducer()
    producer.GetClientSideObject().SetOutput(surface.GetOutput())
    return producer


def stream_lines(fields, bounds):
    """Tubes through points scattered over the middle of the pack, coloured by speed in mm/s."""
    width = bounds[3] - bounds[2]
    speed = simple.Calculator(Input=fields, ResultArrayName="speed", Function="1000*mag(velocity)")
    lines = simple.StreamTracer(Input=speed, Vectors=["POINTS", "velocity"],
                                SeedType="Point Cloud", MaximumStreamlineLength=6 * width)
    lines.SeedType.Center = [sum(bounds[2 * axis:2 * axis + 2]) / 2 for axis in range(3)]
    lines.SeedType.Radius = 0.7 * width
    lines.SeedType.NumberOfPoints = 280
    return simple.Tube(Input=lines, Radius=0.005 * width, NumberofSides=8)


def show(source, view, colour):
    display = simple.Show(source, view)
    display.ColorArrayName = ["POINTS", ""]
    display.DiffuseColor = display.AmbientColor = colour
    display.Ambient, display.Diffuse = 0.25, 0.8
    return display


def colour_by_speed(display, view):
    lut = simple.GetColorTransferFunction("speed")
    lut.ApplyPreset("Viridis (matplotlib)", True)
    lut.RescaleTransferFunction(0, 2)  # a few narrow throats are faster
    display.ColorArrayName = ["POINTS", "speed"]
    display.LookupTable = lut
    bar = simple.GetScalarBar(lut, view)
    bar.Visibility = 1
    bar.Title, bar.ComponentTitle = "speed in mm/s", ""
    bar.TitleColor = bar.LabelColor = BLACK
    bar.AutomaticLabelFormat, bar.LabelFormat = 0, "%.1f"
    bar.AddRangeLabels = 0
    bar.UseCustomLabels, bar.CustomLabels = 1, [0, 0.5, 1, 1.5, 2]
    bar.WindowLocation, bar.Position = "Any Location", [0.915, 0.2]
    bar.Orientation, bar.ScalarBarLength = "Vertical", 0.6


def look_from_the_front(view, bounds):
    centre = [sum(bounds[2 * axis:2 * axis + 2]) / 2 for axis in range(3)]
    view.CameraFocalPoint = centre
    view.CameraPosition = [c + (bounds[1] - bounds[0]) * d
                           for c, d in zip(centre, (-0.5, -1.6, 0.7))]
    view.CameraViewUp = [0, 0, 1]
    simple.ResetCamera(view)
    simple.GetActiveCamera().Zoom(1.5)


def main(path, picture):
    fields = simple.VTKHDFReader(FileName=path)  # ParaView 5.11 does not know ".vtkhdf" by itself
    fields.UpdatePipeline()
    information = fields.GetDataInformation()
    bounds = information.GetBounds()

    view = simple.CreateView("RenderView")
    view.ViewSize = SIZE
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    show(simple.Outline(Input=fields), view, GREY)
    show(grains(fields, information.GetExtent()), view, STONE)
    colour_by_speed(show(stream_lines(fields, bounds), view, STONE), view)
    look_from_the_front(view, bounds)
    simple.SaveScreenshot(picture, view, ImageResolution=SIZE, CompressionLevel="9")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
