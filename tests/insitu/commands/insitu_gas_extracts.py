# SPDX-License-Identifier: MIT
"""A frame of a gas is on the points of the file of its fields, with the same values; its cells fill the mesh.

Read by VTK's Python within the test: ParaView's own takes seconds to start."""

import sys

try:
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkFiltersParallel import vtkIntegrateAttributes
    from vtkmodules.vtkIOHDF import vtkHDFReader
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
except ImportError as error:
    print(error)
    sys.exit(77)


def opened(reader, path):
    source = reader()
    source.SetFileName(str(path))
    source.Update()
    return source.GetOutput()


def volume_of(frame):
    sums = vtkIntegrateAttributes()
    sums.SetInputData(frame)
    sums.Update()
    cells = sums.GetOutput().GetCellData()
    return next(cells.GetArray(name).GetTuple1(0) for name in ("Volume", "Area") if cells.GetArray(name))


def check(fields, fluid):
    """The file fields.vtkhdf beside the frame fluid.vtu."""
    file, frame = opened(vtkHDFReader, fields), opened(vtkXMLUnstructuredGridReader, fluid)
    assert frame.GetNumberOfPoints() == file.GetNumberOfPoints()
    assert numpy.array_equal(vtk_to_numpy(frame.GetPoints().GetData()), vtk_to_numpy(file.GetPoints().GetData()))
    for name in "density", "velocity", "pressure", "mach", "entropy":
        assert numpy.array_equal(vtk_to_numpy(frame.GetPointData().GetArray(name)),
                                 vtk_to_numpy(file.GetPointData().GetArray(name))), name
    # A map of degree 3 cuts each element into 3 parts along each axis.
    dimension = 2 if frame.GetCellType(0) == 9 else 3
    assert frame.GetNumberOfCells() == file.GetNumberOfCells() * 3**dimension
    degrees = vtk_to_numpy(file.GetCellData().GetArray("degree")).repeat(3**dimension)
    assert numpy.array_equal(vtk_to_numpy(frame.GetCellData().GetArray("degree")), degrees)
    # The floor goes as far up as down.
    assert abs(volume_of(frame) - 2) < 1e-6, volume_of(frame)
