# SPDX-License-Identifier: MIT
"""What the tests of the command share: running it in a folder of its own, and small images.

The environment variable TESSERA names the binary. One file can be run by hand:

    TESSERA=build/release/bin/tessera python3 tests/interfaces/commands/bad_input_test.py
"""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest
from unittest import mock

BINARY = os.path.abspath(os.environ.get("TESSERA", "build/release/bin/tessera"))
SOURCE = pathlib.Path(__file__).resolve().parents[3]
# Where the build has MPI, too (tests/CMakeLists.txt).
MPIRUN = shutil.which("mpirun") if os.environ.get("TESSERA_MPI") != "OFF" else None
DONE, FAILED, BAD_INPUT, NOT_CONVERGED = 0, 1, 2, 3


def voxels(shape, is_solid, pore=0, solid=1):
    """The bytes of an image, x fastest, then y, then z."""
    nx, ny, nz = shape
    return bytes(solid if is_solid(x, y, z) else pore
                 for z in range(nz) for y in range(ny) for x in range(nx))


def tube(length=8):
    """A square tube of 4 x 4 pores along x in a box of 6 x 6, and its shape."""
    shape = (length, 6, 6)
    return voxels(shape, lambda x, y, z: y in (0, 5) or z in (0, 5)), shape


def bent_pores():
    """Pores without any symmetry that lead through along x, y and z, and their shape."""
    shape = (12, 10, 8)
    return voxels(shape, lambda x, y, z: (x * x + 2 * y * y + 3 * z * z + x * y) % 7 < 2), shape


def duct_case(shape, output=""):
    """A case file: twenty steps along z between four walls, and their averages."""
    return f"""
title = "duct"
[geometry]
shape = {shape}
periodic = ["z"]
[fluid]
viscosity = 0.1
[force]
body = [0, 0, 1e-6]
[stop]
steps = 20
{output}
[output.averages]
every = 5
""".encode()


def tiff(width, height, photometric, samples):
    """A little-endian TIFF of one page, 8 bits a sample: photometric 1 grey, 2 RGB."""
    def entry(tag, value):
        return struct.pack("<HHIHH", tag, 3, 1, value, 0)
    size = width * height * samples
    tags = [entry(256, width), entry(257, height), entry(258, 8), entry(259, 1),
            entry(262, photometric), entry(273, 8), entry(277, samples), entry(278, height),
            entry(279, size)]
    return (b"II*\0" + struct.pack("<I", 8 + size) + bytes(size) +
            struct.pack("<H", len(tags)) + b"".join(tags) + bytes(4))


class CommandTest(unittest.TestCase):
    """Each test has a folder of its own, in which the command runs."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tessera-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return self.folder / name

    def write(self, name, content):
        self.path(name).write_bytes(content)
        return name

    def write_raw(self, name, image):
        """Writes (bytes, shape) and returns the arguments that read it again."""
        content, shape = image
        return [self.write(name, content), "--shape", ",".join(str(n) for n in shape)]

    def files(self):
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*"))

    def tessera(self, *arguments, launcher=(), environment=None, **options):
        return subprocess.run([*launcher, BINARY, *map(str, arguments)], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                              env={**os.environ, **(environment or {})}, timeout=300, check=False,
                              **options)

    def compute(self, *arguments, status=DONE):
        """Runs `tessera permeability` and returns its results.json."""
        run = self.tessera("permeability", *arguments, "--out", "out")
        self.assertEqual(run.returncode, status, run.stderr)
        return self.results()

    def results(self, out="out"):
        return json.loads((self.path(out) / "results.json").read_text(encoding="utf-8"))

    def assert_refused(self, *arguments, status=BAD_INPUT, says="", **options):
        """One line on stderr, the status, nothing else: no output and no file."""
        before = self.files()
        run = self.tessera(*arguments, **options)
        self.assertEqual(run.returncode, status, run.stderr)
        self.assertRegex(run.stderr, r"\Atessera: [^\n]+\n\Z")
        self.assertIn(says, run.stderr)
        self.assertEqual(run.stdout, "")
        self.assertEqual(self.files(), before)


class StartedBefore(CommandTest):
    """StarPU writes files in its first start, and aborts later if these are damaged: it has been
    started once, with a home of its own, before a test lets no file grow."""

    @classmethod
    def setUpClass(cls):
        home = tempfile.mkdtemp(prefix="tessera-starpu-")
        cls.addClassCleanup(shutil.rmtree, home)
        cls.addClassCleanup(mock.patch.stopall)
        mock.patch.dict(os.environ, STARPU_HOME=home).start()
        with open(os.path.join(home, "plane.raw"), "wb") as file:
            file.write(bytes(64))
        subprocess.run([BINARY, "permeability", "plane.raw", "--shape", "8,8,1", "--quiet",
                        "--max-steps", "2", "--out", "out"],
                       cwd=home, stderr=subprocess.DEVNULL, timeout=300, check=False)
