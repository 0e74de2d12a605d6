# SPDX-License-Identifier: MIT
"""A frame of a gas is on the points of the file of its fields, with the same values; its cells fill the mesh.
Arguments: fields.vtkhdf fluid.vtu, as often as there are frames"""

import sys

import numpy
from paraview.simple import IntegrateVariables, VTKHDFReader, XMLUnstructuredGridReader
from vtkmodules.util.numpy_support import vtk_to_numpy


def data_of(source):
    source.UpdatePipeline()
    data = source.GetClientSideObject().GetOutputDataObject(0)
    return data.GetPartition(0) if data.IsA("vtkPartitionedDataSet") else data


def volume_of(source):
    cells = data_of(IntegrateVariables(Input=source)).GetCellData()
    return next(cells.GetArray(name).GetTuple1(0) for name in ("Volume", "Area") if cells.GetArray(name))


def check(written, seen):
    file, frame = data_of(written), data_of(seen)
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
    assert abs(volume_of(seen) - 2) < 1e-6, volume_of(seen)


for fields, fluid in zip(sys.argv[1::2], sys.argv[2::2]):
    check(VTKHDFReader(FileName=fields), XMLUnstructuredGridReader(FileName=[fluid]))
print("ok")
