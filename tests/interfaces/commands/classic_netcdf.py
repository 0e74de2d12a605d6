# SPDX-License-Identifier: MIT
"""Classic NetCDF files of its three versions, byte for byte as the format's specification has them."""

import struct

import numpy as np

CODES = {"S1": 2, "i1": 1, "i2": 3, "i4": 4, "f4": 5, "f8": 6, "u1": 7, "u2": 8, "u4": 9, "i8": 10, "u8": 11}


def padded(data):
    return data + bytes(-len(data) % 4)


def classic_netcdf(variables, attributes=None, version=1, records=False, own=None):
    """A file of `variables`, {name: array}, with `attributes` of the file and `own` ones of each
    variable: texts or reals. With `records` the first axis of each is the unlimited one, as long
    as it is."""
    def count(n):
        return struct.pack(">q" if version == 5 else ">i", n)

    def named(text):
        return count(len(text)) + padded(text.encode())

    def values_of(array):
        code = CODES[array.dtype.str[1:]]
        return struct.pack(">i", code), padded(array.astype(array.dtype.newbyteorder(">")).tobytes())

    def listed(tag, items):
        return struct.pack(">i", tag if items else 0) + count(len(items)) + b"".join(items)

    def attribute(name, value):
        array = np.frombuffer(value.encode(), "S1") if isinstance(value, str) else np.asarray(value, "f8")
        code, values = values_of(array)
        return named(name) + code + count(array.size) + values

    def attributes_of(said):
        return listed(12, [attribute(*pair) for pair in (said or {}).items()])

    dimensions = []
    heads = []
    contents = []
    for name, array in variables.items():
        axes = b"".join(count(len(dimensions) + axis) for axis in range(array.ndim))
        dimensions += [named(f"{name}_{axis}") + count(0 if records and axis == 0 else extent)
                       for axis, extent in enumerate(array.shape)]
        code, values = values_of(array)
        size = len(values) // (array.shape[0] if records else 1)
        heads.append(named(name) + count(array.ndim) + axes + attributes_of(own) + code + count(size))
        contents.append(values)

    def head(begins):
        places = [struct.pack(">i" if version == 1 else ">q", begin) for begin in begins]
        length = next(iter(variables.values())).shape[0] if records else 0
        return (b"CDF" + bytes([version]) + count(length) + listed(10, dimensions) +
                attributes_of(attributes) + listed(11, [a + b for a, b in zip(heads, places)]))

    begins = [len(head(len(heads) * [0]))]
    for values in contents[:-1]:
        begins.append(begins[-1] + len(values))
    return head(begins) + b"".join(contents)
