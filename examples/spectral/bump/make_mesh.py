# SPDX-License-Identifier: MIT
"""Makes bump.msh: a channel with a smooth bump on its floor, of quadrilaterals of order 3.

    python3 make_mesh.py [CELLS_ALONG_THE_BUMP]

Gmsh's format 4.1 is simple enough to be written by hand; a mesh of your own comes from Gmsh:
gmsh -2 -order 3 -format msh41 channel.geo, with Recombine and physical curves.
"""

import math
import sys

ORDER = 3
LENGTH, HEIGHT = 3.0, 0.8  # from x = -1.5


def floor(x):
    """The bump of the high-order workshops (C1.2, VI2)."""
    return 0.0625 * math.exp(-25 * x * x)


def place(i, j, nx, ny):
    """Of the node (i, j) of a lattice of nx x ny cells."""
    x = -LENGTH / 2 + LENGTH * i / (ORDER * nx)
    up = j / (ORDER * ny)
    return x, floor(x) + (HEIGHT - floor(x)) * up


def main(nx):
    ny = nx // 3
    columns, rows = ORDER * nx + 1, ORDER * ny + 1

    def node(i, j):
        return 1 + i + columns * j

    def line(a, b):
        """A side from one corner to another: ends first, then what is between."""
        steps = [(a[0] + (b[0] - a[0]) * s // ORDER, a[1] + (b[1] - a[1]) * s // ORDER) for s in range(ORDER + 1)]
        return [node(*p) for p in (steps[0], steps[-1], *steps[1:-1])]

    def cell(i, j):
        x, y, n = ORDER * i, ORDER * j, ORDER
        corners = [(x, y), (x + n, y), (x + n, y + n), (x, y + n)]
        edges = [node_ for a, b in zip(corners, corners[1:] + corners[:1]) for node_ in line(a, b)[2:]]
        inside = [(x + 1, y + 1), (x + 2, y + 1), (x + 2, y + 2), (x + 1, y + 2)]
        return [*(node(*c) for c in corners), *edges, *(node(*p) for p in inside)]

    n = ORDER
    sides = {
        "floor": [line((n * i, 0), (n * i + n, 0)) for i in range(nx)],
        "outlet": [line((n * nx, n * j), (n * nx, n * j + n)) for j in range(ny)],
        "roof": [line((n * i, n * ny), (n * i + n, n * ny)) for i in range(nx)],
        "inlet": [line((0, n * j), (0, n * j + n)) for j in range(ny)],
    }
    cells = [cell(i, j) for j in range(ny) for i in range(nx)]
    with open("bump.msh", "w", encoding="ascii") as out:
        print("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n5", file=out)
        for number, name in enumerate(sides, 1):
            print(1, number, f'"{name}"', file=out)
        print('2 5 "gas"\n$EndPhysicalNames\n$Entities\n0 4 1 0', file=out)
        for number in range(1, 5):
            print(number, "0 0 0 0 0 0 1", number, 0, file=out)
        print("1 0 0 0 0 0 0 1 5 4 1 2 3 4\n$EndEntities\n$Nodes", file=out)
        count = columns * rows
        print(1, count, 1, count, file=out)
        print(2, 1, 0, count, file=out)
        for number in range(1, count + 1):
            print(number, file=out)
        for j in range(rows):
            for i in range(columns):
                x, y = place(i, j, nx, ny)
                print(f"{x:.17g} {y:.17g} 0", file=out)
        total = len(cells) + sum(map(len, sides.values()))
        print("$EndNodes\n$Elements", file=out)
        print(5, total, 1, total, file=out)
        number = 1
        for entity, lines in enumerate(sides.values(), 1):
            print(1, entity, 26, len(lines), file=out)
            for nodes in lines:
                print(number, *nodes, file=out)
                number += 1
        print(2, 1, 36, len(cells), file=out)
        for nodes in cells:
            print(number, *nodes, file=out)
            number += 1
        print("$EndElements", file=out)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 12)
