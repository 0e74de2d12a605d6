# SPDX-License-Identifier: MIT
"""ParaView opens a file of high-order cells and integrates over them: their volume, and field f.

    xvfb-run -a pvpython paraview_integrates_elements.py FILE VOLUME F

Exits with 1 if it finds something else by more than a thousandth.
"""

import sys

from paraview import simple


def main(path, volume, f):
    fields = simple.OpenDataFile(path)
    pieces = simple.Tessellate(Input=fields, ChordError=1e-4)
    sums = simple.IntegrateVariables(Input=pieces)
    sums.UpdatePipeline()
    for name, found, expected in (("volume", sums.CellData["Volume"].GetRange()[0], float(volume)),
                                  ("f", sums.PointData["f"].GetRange()[0], float(f))):
        if abs(found - expected) > 1e-3 * abs(expected):
            sys.exit(f"{name}: {found}, expected {expected}")


if __name__ == "__main__":
    main(*sys.argv[1:])
