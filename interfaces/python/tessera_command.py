# SPDX-License-Identifier: MIT
"""The command `tessera` where pip has installed it: the program lies in the package. It is no part of the package, whose
__init__.py would load NumPy and libtessera first."""

import os
import pathlib
import sys


def main():
    program = pathlib.Path(__file__).parent / "tessera" / "bin" / "tessera"
    os.execv(program, ["tessera", *sys.argv[1:]])
