# SPDX-License-Identifier: MIT
"""ParaView opens a file of fields, finds in it what was written, and makes a picture of it.

    xvfb-run -a pvpython paraview_opens_fields.py FILE NX NY NZ SPACING_M [PICTURE.png]

NX NY NZ are the voxels of the image. Prints "ok", or says what is wrong and exits with 1.
"""

import math
import os
import sys
import tempfile

from paraview import simple
from vtkmodules.vtkIOImage import vtkPNGReader


def require(holds, message):
    if not holds:
        sys.exit(f"paraview_opens_fields: {message}")


def open_fields(path):
    """By the name, as a user's ParaView does; 5.11 does not know '.vtkhdf' and must be told."""
    if path.endswith(".hdf"):
        return simple.OpenDataFile(path)
    return simple.VTKHDFReader(FileName=path)


def check_grid(information, shape, spacing):
    points = [max(n, 2) for n in shape]  # an axis of one voxel has a point on each face
    extent = [bound for n in points for bound in (0, n - 1)]
    require(list(information.GetExtent()) == extent,
            f"extent {information.GetExtent()}, expected {extent}")
    bounds = information.GetBounds()
    for axis, n in enumerate(shape):
        expected = (0, spacing) if n == 1 else (spacing / 2, (n - 0.5) * spacing)
        found = bounds[2 * axis:2 * axis + 2]
        require(all(math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-9 * spacing)
                    for a, b in zip(found, expected)),
                f"bounds {found} along axis {axis}, expected {expected}")


def check_arrays(information):
    arrays = information.GetPointDataInformation()
    require(arrays.GetNumberOfArrays() > 0, "no point data")
    for i in range(arrays.GetNumberOfArrays()):
        array = arrays.GetArrayInformation(i)
        for component in range(array.GetNumberOfComponents()):
            low, high = array.GetComponentRange(component)
            require(math.isfinite(low) and math.isfinite(high) and low <= high,
                    f"{array.GetName()}[{component}] ranges from {low} to {high}")
    velocity = arrays.GetArrayInformation("velocity")
    require(velocity is not None and velocity.GetNumberOfComponents() == 3,
            "no array 'velocity' of three components")
    require(velocity.GetComponentRange(-1)[1] > 0, "the velocity is zero everywhere")


def draw(fields, picture):
    """A slice across the middle of the shortest axis, coloured by speed."""
    bounds = fields.GetDataInformation().GetBounds()
    lengths = [bounds[2 * axis + 1] - bounds[2 * axis] for axis in range(3)]
    normal = [0, 0, 0]
    normal[lengths.index(min(lengths))] = 1
    plane = simple.Slice(Input=fields, SliceType="Plane")
    plane.SliceType.Origin = [(bounds[2 * axis] + bounds[2 * axis + 1]) / 2 for axis in range(3)]
    plane.SliceType.Normal = normal
    view = simple.CreateView("RenderView")
    view.ViewSize = [400, 300]
    view.OrientationAxesVisibility = 0
    display = simple.Show(plane, view)
    simple.ColorBy(display, ("POINTS", "velocity", "Magnitude"))
    display.RescaleTransferFunctionToDataRange()
    simple.ResetCamera(view)
    view.CameraPosition = [f + 2 * max(lengths) * n for f, n in zip(view.CameraFocalPoint, normal)]
    view.CameraViewUp = [0, 0, 1] if normal[2] == 0 else [0, 1, 0]
    simple.ResetCamera(view)
    simple.SaveScreenshot(picture, view, ImageResolution=[400, 300])


def count_colours(picture):
    reader = vtkPNGReader()
    reader.SetFileName(picture)
    reader.Update()
    pixels = reader.GetOutput().GetPointData().GetScalars()
    return len({pixels.GetTuple(i) for i in range(pixels.GetNumberOfTuples())})


def main(path, nx, ny, nz, spacing, picture=None):
    fields = open_fields(path)
    fields.UpdatePipeline()
    information = fields.GetDataInformation()
    check_grid(information, [int(nx), int(ny), int(nz)], float(spacing))
    check_arrays(information)
    with tempfile.TemporaryDirectory() as folder:
        picture = picture or os.path.join(folder, "slice.png")
        draw(fields, picture)
        colours = count_colours(picture)
    require(colours > 10, f"the picture has only {colours} colours")
    print("ok")


if __name__ == "__main__":
    if len(sys.argv) not in (6, 7):
        sys.exit(__doc__)
    main(*sys.argv[1:])
