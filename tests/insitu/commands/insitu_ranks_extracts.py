# SPDX-License-Identifier: MIT
"""Puts together what ranks extracted from the frames of tests/insitu/ranks/main.cpp.

Read by VTK's Python within the test: ParaView's own takes seconds to start.
"""

import glob
import sys

try:
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLPolyDataReader, vtkXMLUnstructuredGridReader
except ImportError as error:
    print(error)
    sys.exit(77)

SHAPE = 24, 10, 8
DUPLICATE, HIDDEN = 1, 32
READERS = {"vti": vtkXMLImageDataReader, "vtp": vtkXMLPolyDataReader,
           "vtu": vtkXMLUnstructuredGridReader}


def parts(folder, name):
    """The pieces of an extract that have any cell."""
    pieces = []
    for path in sorted(glob.glob(f"{folder}/{name}_000100/*")):
        reader = READERS[path[-3:]]()
        reader.SetFileName(path)
        reader.Update()
        if reader.GetOutput().GetNumberOfCells() > 0:
            pieces.append(reader.GetOutput())
    return pieces


def array(piece, name):
    return vtk_to_numpy(piece.GetCellData().GetArray(name))


def own(piece):
    """Which cells are the rank's own, and fluid."""
    if piece.GetCellData().GetArray("vtkGhostType") is None:
        return numpy.ones(piece.GetNumberOfCells(), bool)
    return array(piece, "vtkGhostType") & (DUPLICATE | HIDDEN) == 0


def wrong_voxels(pieces):
    """Names of the arrays that are not as they were made, over all voxels, each owned by one."""
    counted = numpy.zeros(SHAPE[::-1], int)
    wrong = set()
    for piece in pieces:
        lower = piece.GetExtent()[::2]
        cells = [n - 1 for n in piece.GetDimensions()]
        z, y, x = (a.ravel() for a in numpy.indices(cells[::-1]))
        x, y, z = x + lower[0], y + lower[1], z + lower[2]
        ghost = array(piece, "vtkGhostType")
        mine = ghost & DUPLICATE == 0
        counted[z[mine], y[mine], x[mine]] += 1
        solid = (x + y + z) % 11 == 0
        for name, is_right in (
                ("velocity", (array(piece, "velocity") == numpy.stack([x, y, z], 1)).all(1)),
                ("pressure", array(piece, "pressure") == 3 * x + 2 * y + z),
                ("density", array(piece, "density") == 1 + x)):
            if not is_right[~solid].all():
                wrong.add(name)
        if not numpy.array_equal(array(piece, "solid") == 1, solid):
            wrong.add("solid")
        if not numpy.array_equal(ghost & HIDDEN != 0, solid):
            wrong.add("hidden")
    if not (counted == 1).all():
        wrong.add("owner")
    return sorted(wrong)


def triangles(piece):
    cells = piece.GetPolys()
    corners = vtk_to_numpy(cells.GetConnectivityArray())
    ends = vtk_to_numpy(cells.GetOffsetsArray())
    return [corners[a:b] for a, b in zip(ends[:-1], ends[1:])]


def surface(pieces):
    """Area of all polygons, and edges that only one of them has."""
    area = 0.0
    edges = {}
    for piece in pieces:
        points = vtk_to_numpy(piece.GetPoints().GetData()).astype(float)
        keys = [tuple(p) for p in numpy.round(points, 3)]
        for polygon, mine in zip(triangles(piece), own(piece)):
            if not mine:
                continue
            corners = points[polygon]
            area += numpy.linalg.norm(sum(numpy.cross(a - corners[0], b - corners[0]) / 2
                                          for a, b in zip(corners[1:-1], corners[2:])))
            for a, b in zip(polygon, numpy.roll(polygon, -1)):
                edge = tuple(sorted((keys[a], keys[b])))
                edges[edge] = edges.get(edge, 0) + 1
    return area, sum(1 for count in edges.values() if count == 1)


def put_together(folder):
    """What is there, as numbers and lists."""
    fluid = parts(folder, "fluid")
    plane = sorted(tuple(map(float, velocity)) for piece in parts(folder, "plane")
                   for velocity in array(piece, "velocity")[own(piece)])
    area, open_edges = surface(parts(folder, "contour"))
    tiles = sorted(int(t) for piece in parts(folder, "tiles") for t in array(piece, "tile"))
    return {"parts": len(fluid), "wrong": wrong_voxels(fluid), "plane": plane,
            "contour_area": area, "contour_open_edges": open_edges, "tiles": tiles}
