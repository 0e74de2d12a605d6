#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Flows with exact or published solutions, computed by `tessera run`: docs/validation.md.

    python3 tests/validation/validate.py --out build/validation
    python3 tests/validation/validate.py --quick --only cavity

Writes table.md, table.json and plots into --out. Exit status 1: a bar is missed.
"""

import argparse
import dataclasses
import importlib
import json
import pathlib
import sys
import tempfile
import time

import rows as table
from session import Session

FAMILIES = ("cavity", "cubic_cavity", "cylinder", "pressure_driven", "sphere_arrays", "porous_spheres",
            "decaying_flows", "plane_flows", "pipe_lattices", "sources", "estimates", "spectral_differences")
PACKAGE_IS_MISSING = 77  # as the other tests say it


def packages_are_there():
    try:
        importlib.import_module("numpy")
        importlib.import_module("h5py")
    except ImportError as error:
        print(f"{error}: of Debian's packages, python3-numpy and python3-h5py are needed")
        return False
    return True


def validated(families, session):
    """Pairs of a family's name and a Row, said as soon as they are there."""
    found = []
    print(" | ".join(table.HEADER), flush=True)
    for name in families:
        begin = time.monotonic()
        for row in importlib.import_module(name).validate(session):
            print(" | ".join(table.cells(name, row)), flush=True)
            found.append((name, row))
        print(f"{name}: {time.monotonic() - begin:.0f} s", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes with bars of their own")
    parser.add_argument("--only", choices=FAMILIES, action="append", help="one family; repeatable")
    parser.add_argument("--out", type=pathlib.Path, help="folder for results, table and plots")
    parser.add_argument("--size", type=int, help="voxels along the cubic cavity; 128 unless said")
    parser.add_argument("--gpus", type=int, help="as in [run] of case files; all unless said")
    options = parser.parse_args()
    if not packages_are_there():
        return PACKAGE_IS_MISSING
    with tempfile.TemporaryDirectory(prefix="tessera-validation-") as scratch:
        out = options.out or pathlib.Path(scratch)
        out.mkdir(parents=True, exist_ok=True)
        session = Session(out, options.quick, options.size, options.gpus,
                          plots=options.out is not None)
        found = validated(options.only or FAMILIES, session)
        (out / "table.md").write_text(table.markdown(found), encoding="utf-8")
        entries = [{"case": name, **dataclasses.asdict(row), "passed": row.passed}
                   for name, row in found]
        (out / "table.json").write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    missed = [row for _, row in found if not row.passed]
    print(f"{len(found)} figures, {len(missed)} of them beyond their bar")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
