# SPDX-License-Identifier: MIT
"""Arrays and keywords as the library takes them: words of the command line."""

import os
import re
import warnings

import numpy as np

PROGRAM_AXES = "zyx"  # of an array im[z, y, x], in the order of its axes


class Voxels:
    """An image as the library takes it; knows which of its axes is which. `least`: axes at least."""

    def __init__(self, im, least=2):
        if isinstance(im, (str, bytes, os.PathLike)):
            raise ValueError(f"{im!r}: expected an array, as numpy.load(), tifffile.imread() or h5py give it")
        if np.ma.is_masked(im):
            raise ValueError("a masked array: expected a value for each voxel, as im.filled() gives it")
        array = np.asarray(im)
        if not least <= array.ndim <= 3:
            raise ValueError(f"an array of {array.ndim} dimensions: expected " + ("2 or 3" if least == 2 else "3"))
        if array.size == 0:
            raise ValueError(f"an array of shape {array.shape}: expected voxels")
        if array.dtype.kind not in "biuf":
            raise ValueError(f"an array of {array.dtype}: expected booleans, integers or reals")
        if array.dtype == np.float16:
            array = array.astype(np.float32)
        self.dimensions = array.ndim
        self.axes = PROGRAM_AXES[3 - array.ndim:]
        self.boolean = array.dtype.kind == "b"
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
        if array.ndim == 2:
            array = array[np.newaxis]
        if not (array.flags.c_contiguous or array.flags.f_contiguous):
            array = np.ascontiguousarray(array)
        self.array = array
        self.type = array.dtype.name

    def letter(self, axis):
        """The program's axis: 0 -> "z" of a volume, "y" of a picture; "all" stays."""
        if isinstance(axis, str) and axis == "all":
            if self.dimensions == 2:
                raise ValueError('axis="all": expected 0 or 1, as the image is plane')
            return axis
        try:
            if axis >= 0:
                return self.axes[axis]
        except (IndexError, TypeError):
            pass
        raise ValueError(f"axis={axis!r}: expected 0 to {self.dimensions - 1}" +
                         (' or "all"' if self.dimensions == 3 else ""))

    def number(self, letter):
        return self.axes.index(letter)

    def vectors(self, values):
        """Components along x, y, z as those along the axes of the array."""
        return values[..., ::-1][..., 3 - self.dimensions:]

    def on_image(self, field):
        """A field of a volume on the array as it came."""
        return field[0] if self.dimensions == 2 else field

    def labels(self, options):
        """What is pore: of a boolean array what is True, unless somebody says otherwise."""
        said = any(options.get(name) is not None for name in ("pore", "solid", "threshold"))
        return {} if said or not self.boolean else {"pore": 1}


def words(**options):
    """Keywords as words of the command line; None and False say nothing, but of labels."""
    found = []
    for name, value in options.items():
        if name in ("pore", "solid") and isinstance(value, (bool, np.bool_)):
            value = int(value)
        if value is None or value is False:
            continue
        option = ("-" if len(name) == 1 else "--") + name.replace("_", "-")
        if value is True:
            found.append(option)
            continue
        if isinstance(value, (list, tuple, range, np.ndarray)):
            if len(value) == 0:
                raise ValueError(f"{name}: expected one value at least")
            value = ",".join(text_of(v) for v in value)
        # One word, as a value may begin with a minus sign.
        found.extend([option, text_of(value)] if option.count("-") == 1
                     else [f"{option}={text_of(value)}"])
    return found


def text_of(value):
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def length(voxel_size):
    """Metres, or a text with a unit."""
    if voxel_size is None or isinstance(voxel_size, str):
        return voxel_size
    try:
        metres = float(voxel_size)
    except (TypeError, ValueError):
        raise ValueError(f"voxel_size={voxel_size!r}: expected metres, or a text with a unit, such as \"2.25um\"") from None
    if metres > 0.01:
        warnings.warn(f"voxel_size={voxel_size!r} is in metres: that is a large voxel", RuntimeWarning, stacklevel=3)
    return f"{metres!r}m"


def _keyword(match):
    return match.group(1).replace("-", "_")


def in_python(line, voxels=None):
    """The command's line with its options as keywords, and the program's axes as the array's."""
    line = re.sub(r" \(see tessera.*--help\)", "", line.replace("--set ", "settings "))
    line = re.sub(r"--([a-z][a-z-]*)", _keyword, line)
    if voxels is None:
        return line
    return re.sub(r"(^|\balong |\bk_)([xyz])\b",
                  lambda m: f"{m.group(1)}axis {voxels.axes.find(m.group(2))}", line)
