# SPDX-License-Identifier: MIT
"""Makes the meshes of this folder with Gmsh (PyPI: gmsh; these are of 4.15.2): 2 x 1 (x 1) cells of edge 1.

    python3 make.py
"""
import gmsh


def save(name, formats):
    for version, number in (("msh2", 2.2), ("msh4", 4.1)):
        for kind, binary in (("text", 0), ("binary", 1)):
            if f"{version}-{kind}" in formats:
                gmsh.option.setNumber("Mesh.MshFileVersion", number)
                gmsh.option.setNumber("Mesh.Binary", binary)
                gmsh.write(f"{name}-{version}-{kind}.msh")


def square():
    """Its surface and lines: floor, right, roof, left."""
    gmsh.clear()
    geo = gmsh.model.geo
    p = [geo.addPoint(x, y, 0) for x, y in ((0, 0), (2, 0), (2, 1), (0, 1))]
    lines = [geo.addLine(p[0], p[1]), geo.addLine(p[1], p[2]), geo.addLine(p[3], p[2]), geo.addLine(p[0], p[3])]
    surface = geo.addPlaneSurface([geo.addCurveLoop([lines[0], lines[1], -lines[2], -lines[3]])])
    for line, nodes in zip(lines, (3, 2, 3, 2)):
        geo.mesh.setTransfiniteCurve(line, nodes)
    geo.mesh.setTransfiniteSurface(surface)
    geo.mesh.setRecombine(2, surface)
    return surface, lines


def moved(x, z):
    return [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, z, 0, 0, 0, 1]


def quadrilaterals(order, formats):
    surface, (floor, right, roof, left) = square()
    gmsh.model.geo.synchronize()
    gmsh.model.mesh.setPeriodic(1, [right], [left], moved(2, 0))
    for name, line in (("floor", floor), ("roof", roof), ("left", left), ("right", right)):
        gmsh.model.addPhysicalGroup(1, [line], name=name)
    gmsh.model.addPhysicalGroup(2, [surface], name="gas")
    gmsh.model.mesh.generate(2)
    gmsh.model.mesh.setOrder(order)
    save(f"quad{order}", formats)


def hexahedra(order, formats):
    surface, _ = square()
    grown = gmsh.model.geo.extrude([(2, surface)], 0, 0, 1, numElements=[1], recombine=True)
    gmsh.model.geo.synchronize()
    gmsh.model.addPhysicalGroup(3, [grown[1][1]], name="gas")
    gmsh.model.addPhysicalGroup(2, [surface], name="bottom")
    gmsh.model.addPhysicalGroup(2, [grown[0][1]], name="top")
    gmsh.model.addPhysicalGroup(2, [side for _, side in grown[2:]], name="sides")
    gmsh.model.mesh.setPeriodic(2, [grown[0][1]], [surface], moved(0, 1))
    gmsh.model.mesh.generate(3)
    gmsh.model.mesh.setOrder(order)
    save(f"hex{order}", formats)


gmsh.initialize()
gmsh.option.setNumber("General.Verbosity", 0)
ALL = ("msh2-text", "msh2-binary", "msh4-text", "msh4-binary")
quadrilaterals(1, ("msh2-text",))
quadrilaterals(2, ALL)
quadrilaterals(3, ("msh4-text",))
hexahedra(1, ("msh2-binary",))
hexahedra(2, ALL)
hexahedra(3, ("msh4-binary",))
