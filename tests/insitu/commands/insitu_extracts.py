# SPDX-License-Identifier: MIT
"""What scripts extracted from a running flow is what Tessera wrote itself at the same step.

Read by VTK's Python within the test: ParaView's own takes seconds to start.
"""

import sys

try:
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLPolyDataReader, vtkXMLUnstructuredGridReader
except ImportError as error:
    print(error)
    sys.exit(77)

HIDDEN = 32
SWING = 5e-3  # of odd and even steps, over the range of a field (docs/method.md)


def require(holds, message):
    if not holds:
        raise AssertionError(message)


def opened(reader, path):
    source = reader()
    source.SetFileName(str(path))
    source.Update()
    return source.GetOutput()


def check_fluid(fields, fluid):
    points, cells = fields.GetPointData(), fluid.GetCellData()
    of_a_case = not points.HasArray("tile")
    for name in ("velocity", "pressure", "density", "solid") + (() if of_a_case else ("tile",)):
        written, seen = vtk_to_numpy(points.GetArray(name)), vtk_to_numpy(cells.GetArray(name))
        require(written.dtype == seen.dtype, f"{name}: {seen.dtype}, written as {written.dtype}")
        if of_a_case or name in ("solid", "tile"):
            require(numpy.array_equal(written, seen), f"{name} differs from the file")
            continue
        # A permeability's fields are the mean of two steps, scripts see one of them.
        off = numpy.abs(written.astype(float) - seen).max() / numpy.ptp(written.astype(float))
        require(off < SWING, f"{name} differs from the file by {off:.1e} of its range")
    require(numpy.ptp(vtk_to_numpy(points.GetArray("velocity"))) > 0, "nothing flows")
    ghost = vtk_to_numpy(cells.GetArray("vtkGhostType"))
    solid = vtk_to_numpy(cells.GetArray("solid"))
    require(numpy.array_equal(ghost, HIDDEN * solid), "solid voxels are not those hidden")
    require(fluid.GetSpacing() == fields.GetSpacing(), "spacing")
    require(all(abs(f - s / 2) < 1e-6 * s for f, s in zip(fields.GetOrigin(), fields.GetSpacing())),
            "the voxels begin at the origin, the points half a voxel in")


def check_walls(fluid, walls, viscosity, sealed, lid):
    """The faces between fluid and solid, and mu u_t / (h/2) on them, found here anew."""
    shape = [n - 1 for n in reversed(fluid.GetDimensions())]
    solid = vtk_to_numpy(fluid.GetCellData().GetArray("solid")).reshape(shape)
    velocity = vtk_to_numpy(fluid.GetCellData().GetArray("velocity")).reshape(shape + [3])
    spacing = fluid.GetSpacing()[0]
    faces = 0
    sums = numpy.zeros(3)
    for axis in range(3):
        at = 2 - axis  # of the array
        edge = [(1, 1) if a == at and "xyz"[axis] in sealed else (0, 0) for a in range(3)]
        solid_beyond = numpy.pad(solid, edge, constant_values=1)
        fluid_here = numpy.pad(velocity, edge + [(0, 0)])
        lower = [slice(None)] * 3
        upper = [slice(None)] * 3
        lower[at], upper[at] = slice(0, -1), slice(1, None)
        tangential = [a for a in range(3) if a != axis]
        for here, there in (lower, upper), (upper, lower):
            face = (solid_beyond[tuple(here)] == 0) & (solid_beyond[tuple(there)] == 1)
            faces += face.sum()
            for a in tangential:
                slip = fluid_here[tuple(here)][..., a].astype(float)
                if lid and axis == 2 and a == 0 and here is lower:
                    slip[-1] -= lid
                sums[a] += numpy.abs(slip[face]).sum()
    stress = vtk_to_numpy(walls.GetCellData().GetArray("wall_shear_stress"))
    require(walls.GetNumberOfCells() == faces, f"{walls.GetNumberOfCells()} faces, not {faces}")
    expected = viscosity / (spacing / 2) * sums
    found = numpy.abs(stress).astype(float).sum(axis=0)
    require(numpy.allclose(found, expected, rtol=1e-5), f"stress {found}, expected {expected}")


def check_tiles(fluid, tiles):
    number = vtk_to_numpy(tiles.GetCellData().GetArray("tile"))
    nodes = vtk_to_numpy(tiles.GetCellData().GetArray("nodes"))
    worker = vtk_to_numpy(tiles.GetCellData().GetArray("worker"))
    inside = vtk_to_numpy(fluid.GetCellData().GetArray("tile"))
    require(sorted(number) == list(range(len(number))), "the numbers of the tiles")
    require(inside.max() == len(number) - 1, "tiles of the fields and of the channel")
    require(all(nodes[t] >= (inside == t).sum() for t in number), "nodes of the tiles")
    require((worker >= 0).all(), "a tile that nobody computed")


def check(fields, extracts, step, viscosity, sealed="yz", lid=0):
    """The file of fields beside what is in the folder of extracts, of a step. `viscosity`: in Pa s; `sealed`: the axes whose
    ends are walls; `lid`: the speed along x of the wall at z+."""
    fluid, walls, tiles = (extracts / f"{name}_{step:06d}" / f"{name}_{step:06d}_0.{kind}"
                           for name, kind in (("fluid", "vti"), ("walls", "vtp"), ("tiles", "vtu")))
    fluid = opened(vtkXMLImageDataReader, fluid)
    check_fluid(opened(vtkHDFReader, fields), fluid)
    check_walls(fluid, opened(vtkXMLPolyDataReader, walls), viscosity, sealed, lid)
    check_tiles(fluid, opened(vtkXMLUnstructuredGridReader, tiles))
