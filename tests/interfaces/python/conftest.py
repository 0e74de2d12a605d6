# SPDX-License-Identifier: MIT
"""What the tests of the module share: the command beside it, and small images.

    PYTHONPATH=build/release/python TESSERA=build/release/bin/tessera python3 -m pytest tests/interfaces/python
"""

import json
import os
import subprocess

import numpy as np
import pytest

BINARY = os.path.abspath(os.environ.get("TESSERA", "build/release/bin/tessera"))


@pytest.fixture(scope="session", autouse=True)
def starpu_home(tmp_path_factory):
    """StarPU keeps what it measures."""
    os.environ.setdefault("STARPU_HOME", str(tmp_path_factory.mktemp("starpu")))


@pytest.fixture(name="command")
def fixture_command(tmp_path):
    """Runs `tessera COMMAND ARGUMENTS --out OUT` and returns its results.json."""
    def run(*arguments):
        subprocess.run([BINARY, *map(str, arguments), "--out", str(tmp_path / "out")], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
        return json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    return run


def pores(nz, ny, nx):
    """A pore space that leads through along all axes, without any symmetry; True is pore."""
    z, y, x = np.mgrid[:nz, :ny, :nx]
    return (x * x + 2 * y * y + 3 * z * z + x * y) % 7 < 3


@pytest.fixture(name="rock", scope="session")
def fixture_rock():
    """As small as leaves each of its axes a length of its own."""
    return pores(14, 18, 16)
