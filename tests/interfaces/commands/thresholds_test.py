# SPDX-License-Identifier: MIT
"""Thresholds and labels divide voxels of every type as NumPy does."""

import itertools
import json
import math
import operator
import os
import re
import shutil
import socket
import sys
import tempfile
import unittest
from unittest import mock

from command import DONE, CommandTest

try:
    import numpy
except ImportError:
    print("there is no numpy")
    sys.exit(77)

RELATIONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
REALS = ["0.1", "0.7", "-0.3", "1e-3", "16777217", "33554433.5", "1e-30", "1e-42", "0", "1e30",
         "123.456", "2.5"]
WHOLES = {"uint8": [0, 1, 254.5, 255], "int8": [-128, -127.5, 0, 127],
          "uint16": [0, 300, 65535], "int16": [-32768, -0.5, 32767],
          "uint32": [0, 16777217, 2147483648, 4294967295], "int32": [-2147483648, 16777217,
                                                                     2147483647],
          "int64": [-2147483648, 16777217, 2147483647], "uint64": [0, 16777217, 4294967295]}


def around(text, dtype):
    """Voxels just below, at and above a value; once, twice and four times: a sum of them tells
    which ones it counts."""
    if numpy.issubdtype(dtype, numpy.floating):
        middle = dtype.type(text)
        values = [numpy.nextafter(middle, dtype.type(-math.inf)), middle,
                  numpy.nextafter(middle, dtype.type(math.inf))]
    else:
        info = numpy.iinfo(f"{dtype.kind}{min(dtype.itemsize, 4)}")
        middle = math.floor(float(text))
        values = [min(max(middle + i, info.min), info.max) for i in (-1, 0, 1)]
    return numpy.repeat(numpy.array(values, dtype), (1, 2, 4)).reshape(7, 1, 1)


class Thresholds(CommandTest):
    comparisons = 0

    @classmethod
    def setUpClass(cls):
        """`info` says what a permeability takes. Where no speed is kept it copies memory three times to tell, each of 300
        times, which takes longer than all else: here one is kept."""
        kept = tempfile.mkdtemp(prefix="tessera-kept-")
        cls.addClassCleanup(shutil.rmtree, kept)
        cls.addClassCleanup(mock.patch.stopall)
        mock.patch.dict(os.environ, TESSERA_CACHE=kept).start()
        speeds = {f"{socket.gethostname()}, {cores} cores, D3Q19, single": 1e7 for cores in range(1, 2 + (os.cpu_count() or 1))}
        with open(os.path.join(kept, "machine.json"), "w", encoding="utf-8") as file:
            json.dump(speeds, file)

    def compare(self, image, text):
        numpy.save(self.path("image.npy"), image)
        # As NumPy 2 has it: a Python number takes the type of real voxels.
        real = image.dtype.kind == "f"
        limit = image.dtype.type(text) if real else float(text)
        for sign, relation in RELATIONS.items():
            expected = int(relation(image, limit).sum())
            run = self.tessera("info", "image.npy", "--threshold", sign + text)
            with self.subTest(dtype=image.dtype, threshold=sign + text):
                self.comparisons += 1
                if expected == 0:
                    self.assertIn("no voxel of image.npy is pore", run.stderr)
                    continue
                self.assertEqual(run.returncode, DONE, run.stderr)
                counted = re.search(r"porosity .*\((\d+) pore voxels\)", run.stdout)
                self.assertEqual(int(counted[1]), expected)

    def test_every_type_is_compared_as_numpy_does(self):
        for name, text in itertools.product(("<f4", ">f4", "<f8", ">f8"), REALS):
            self.compare(around(text, numpy.dtype(name)), text)
        for name, values in WHOLES.items():
            for value in values:
                self.compare(around(value, numpy.dtype(name)), f"{value}")
        self.assertGreater(self.comparisons, 290)


if __name__ == "__main__":
    unittest.main()
