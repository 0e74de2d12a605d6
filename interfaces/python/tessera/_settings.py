# SPDX-License-Identifier: MIT
"""Arrays and keywords as the library takes them."""

import difflib
import os
import warnings
from collections.abc import Mapping

import numpy as np

PROGRAM_AXES = "zyx"  # of an array im[z, y, x], in the order of its axes
# Options of the commands that say how a file is read, or name what would be written.
ABOUT_FILES = {"shape", "dtype", "header_bytes", "axes", "crop", "dataset", "out", "trace", "insitu", "report",
               "checkpoint", "resume", "check", "quiet", "verbose", "fields_format"}


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

    @property
    def arguments(self):
        """What the library takes of it."""
        return self.array, self.type, self.axis_names

    @property
    def axis_names(self):
        """What messages call the program's x, y and z."""
        return [f"axis {self.axes.index(a)}" if a in self.axes else "the axis across the image" for a in "xyz"]

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


def fill(options, said):
    """Sets keywords of a call in the library's options, and those of its flow and of the labels there.
    None leaves what stands there."""
    within = [options]
    for part in ("flow", "labels"):
        if hasattr(within[-1], part):
            within.append(getattr(within[-1], part))
    known = sorted({name for part in within for name in dir(part) if not name.startswith("_")} - {"flow", "labels"})
    for name, value in said.items():
        if value is None:
            continue
        if name in ABOUT_FILES:
            raise ValueError(f"{name}: expected nothing about files with an array")
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise ValueError(f"'{name}' was not expected" + (f"; did you mean '{near[0]}'?" if near else ""))
        _set(next(part for part in within if hasattr(part, name)), name, value)
    return options


def _set(options, name, value):
    """Numbers for numbers, words for words: 4 for cores="4", "1e-3" for tolerance=1e-3."""
    if isinstance(value, (list, tuple, range, np.ndarray)) and len(value) == 0:
        raise ValueError(f"{name}: expected one value at least")
    if name in ("pore", "solid") and isinstance(value, (bool, np.bool_)):
        value = int(value)
    for way in (lambda: value, lambda: list_of_text(value), lambda: _number(value)):
        try:
            setattr(options, name, way())
            return
        except (TypeError, ValueError, OverflowError):
            pass
    raise ValueError(f"{name} {value}: expected {_kind(getattr(options, name))}")


def _number(text):
    number = float(text)
    return int(number) if number.is_integer() else number


def _kind(value):
    """What a setting is, by the value that it has."""
    if isinstance(value, bool):
        return "True or False"
    if isinstance(value, int):
        return "a whole number"
    return "a text" if isinstance(value, str) else "a number"


def list_of_text(values):
    """[1, 3] as "1,3"."""
    if isinstance(values, (list, tuple, range, np.ndarray)):
        return ",".join(text_of(value) for value in values)
    return text_of(values)


def values_of_labels(values):
    """{0: 1, (1, 3): 0.05} as ["0=1", "1,3=0.05"]; anything else as it came."""
    if not isinstance(values, Mapping):
        return values
    return [f"{list_of_text(labels)}={text_of(value)}" for labels, value in values.items()] or None


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
