# SPDX-License-Identifier: MIT
"""DICOM slices, as few elements of them as the standard lets a scanner write."""

import struct


def element(group, number, kind, value):
    if len(value) % 2:
        value += b"\0" if kind == b"UI" else b" "
    head = struct.pack("<HH", group, number) + kind
    if kind == b"OW":
        return head + b"\0\0" + struct.pack("<I", len(value)) + value
    return head + struct.pack("<H", len(value)) + value


def unsigned(group, number, value):
    return element(group, number, b"US", struct.pack("<H", value))


def decimals(group, number, *values):
    return element(group, number, b"DS", "\\".join(f"{v:g}" for v in values).encode())


def dicom_slice(pixels, shape, number, position_mm, pixel_mm, syntax=b"1.2.840.10008.1.2.1", rows_mm=None):
    """A file of one slice of 16 bits: rows of `shape` = columns, rows; the third of the patient's
    coordinates is `position_mm`, or there is none at all; rows lie `rows_mm` apart if not as columns."""
    ct = b"1.2.840.10008.5.1.4.1.1.2"
    instance = b"1.2.3.%d" % number
    meta = (element(2, 2, b"UI", ct) + element(2, 3, b"UI", instance) +
            element(2, 0x10, b"UI", syntax))
    place = b""
    if position_mm is not None:
        place = (decimals(0x20, 0x32, 0, 0, position_mm) +
                 decimals(0x20, 0x37, 1, 0, 0, 0, 1, 0))
    columns, rows = shape
    return (bytes(128) + b"DICM" + element(2, 0, b"UL", struct.pack("<I", len(meta))) + meta +
            element(8, 0x16, b"UI", ct) + element(8, 0x18, b"UI", instance) +
            element(8, 0x60, b"CS", b"CT") + decimals(0x18, 0x50, pixel_mm) +
            element(0x20, 0xe, b"UI", b"1.2.9") +
            element(0x20, 0x13, b"IS", b"%d" % number) + place + unsigned(0x28, 2, 1) +
            element(0x28, 4, b"CS", b"MONOCHROME2") + unsigned(0x28, 0x10, rows) +
            unsigned(0x28, 0x11, columns) + decimals(0x28, 0x30, rows_mm or pixel_mm, pixel_mm) +
            unsigned(0x28, 0x100, 16) + unsigned(0x28, 0x101, 16) + unsigned(0x28, 0x102, 15) +
            unsigned(0x28, 0x103, 0) +
            element(0x7fe0, 0x10, b"OW", struct.pack(f"<{len(pixels)}H", *pixels)))
