# SPDX-License-Identifier: MIT
"""The voxel size that a file says is used, unless the user says another one."""

import json
import struct
import unittest

import h5py

from classic_netcdf import classic_netcdf
from command import DONE, NOT_CONVERGED
from image_files import CONTENT, IMAGE, SHAPE, SIZE, FormatTest, nrrd


def tiff_stack(description, resolution=None):
    """A multi-page TIFF whose first page has a description, and pixels per unit."""
    columns, rows, slices = SHAPE
    pages = []
    at = 8
    for z in range(slices):
        pixels = IMAGE[z].tobytes()
        text = description.encode() + b"\0" if z == 0 else b""
        entries = [(256, 3, 1, columns), (257, 3, 1, rows), (258, 3, 1, 8), (259, 3, 1, 1),
                   (262, 3, 1, 1), (277, 3, 1, 1), (278, 3, 1, rows), (279, 4, 1, len(pixels))]
        tail = pixels + text
        entries.append((273, 4, 1, at))
        if text:
            entries.append((270, 2, len(text), at + len(pixels)))
        if resolution and z == 0:
            for tag in (282, 283):
                entries.append((tag, 5, 1, at + len(tail)))
            tail += struct.pack("<II", *resolution)
        tail += bytes(len(tail) % 2)
        entries.sort()
        begin = at + len(tail)
        end = begin + 2 + 12 * len(entries) + 4
        directory = struct.pack("<H", len(entries)) + b"".join(
            struct.pack("<HHII", *entry) for entry in entries)
        pages.append((tail + directory, begin, end))
        at = end
    content = b"II*\0" + struct.pack("<I", pages[0][1])
    for i, (page, _, _) in enumerate(pages):
        after = pages[i + 1][1] if i + 1 < len(pages) else 0
        content += page + struct.pack("<I", after)
    return content


class VoxelSize(FormatTest):
    def image_of(self, *arguments):
        """What results.json says of the image."""
        return self.compute(*arguments, "--no-fields", "--max-steps", 1,
                            status=NOT_CONVERGED)["image"]

    def assert_size(self, name, said_by, size=SIZE):
        image = self.image_of(name)
        self.assertAlmostEqual(image["voxel_size_m"] / size, 1, delta=2e-6, msg=name)
        self.assertEqual(image["voxel_size_from"], said_by)

    def test_of_each_format_that_says_it(self):
        um = SIZE * 1e6
        head = ["type: uchar", "encoding: raw"]
        along = ["spacings: {0} {0} {0}".format(um), 'units: "um" "um" "um"']
        self.assert_size(self.write("a.nrrd", nrrd(head + along, CONTENT)), "spacing")
        space = ["space dimension: 3", f"space directions: ({um},0,0) (0,{um},0) (0,0,{um})",
                 'space units: "microns" "microns" "microns"']
        self.assert_size(self.write("b.nrrd", nrrd(head + space, CONTENT)), "spacing")
        # Without a unit ITK and Slicer mean millimetres.
        body = ["space: left-posterior-superior", "space directions: ({0},0,0) (0,{0},0) (0,0,{0})".format(SIZE * 1e3)]
        self.assert_size(self.write("c.nrrd", nrrd(head + body, CONTENT)), "spacing")
        self.assert_size(self.mhd("a.mhd", False, 3 * (SIZE * 1e3,)), "ElementSpacing")
        self.assert_size(self.vti("a.vti", 3 * (SIZE,)), "Spacing")
        self.assert_size(self.dicom("scan"), "PixelSpacing")
        with h5py.File(self.path("a.h5"), "w") as file:
            file.create_dataset("image", data=IMAGE).attrs["element_size_um"] = 3 * [um]
        self.assert_size("a.h5", "element_size_um")
        with h5py.File(self.path("a.nc"), "w") as file:
            file.create_dataset("segmented", data=IMAGE)
            file.attrs["voxel_size_xyz"] = 3 * [SIZE * 1e3]
            file.attrs["voxel_unit"] = "mm"
        self.assert_size("a.nc", "voxel_size_xyz")
        said = {"voxel_size_xyz": 3 * [SIZE * 1e3], "voxel_unit": "mm"}
        labels = {"segmented": IMAGE.astype("i1")}
        self.assert_size(self.write("b.nc", classic_netcdf(labels, said)), "voxel_size_xyz")
        self.assert_size(self.write("c.nc", classic_netcdf(labels, own=said)), "voxel_size_xyz")

    def test_of_tiff_as_imagej_and_ome_write_it(self):
        for unit in "um", "micron", "\\u00B5m":
            text = f"ImageJ=1.53t\nimages=8\nslices=8\nunit={unit}\nspacing=2.25\n"
            self.assert_size(self.write("j.tif", tiff_stack(text, (444444, 1000000))),
                             "ImageJ voxel size")
        text = ('<?xml version="1.0" encoding="UTF-8"?><OME><Image ID="Image:0"><Pixels SizeX="12" '
                'SizeY="10" SizeZ="8" SizeC="1" SizeT="1" PhysicalSizeX="2.25" '
                'PhysicalSizeY="2.25" PhysicalSizeZ="2250" PhysicalSizeZUnit="nm"/></Image></OME>')
        self.assert_size(self.write("o.tif", tiff_stack(text)), "OME PhysicalSize")
        text = text.replace('PhysicalSizeZUnit="nm"', 'PhysicalSizeXUnit="Å" PhysicalSizeYUnit="Å" PhysicalSizeZUnit="Å"')
        self.assert_size(self.write("a.tif", tiff_stack(text.replace('"2.25"', '"22500"').replace('"2250"', '"22500"'))),
                         "OME PhysicalSize")
        # What printers want is no size of a voxel.
        plain = self.image_of(self.write("p.tif", tiff_stack("scan", (72, 1))))
        self.assertIsNone(plain["voxel_size_m"])
        self.assert_refused("info", self.write("c.tif", tiff_stack(
            text.replace('SizeC="1"', 'SizeC="2"'))), says="an OME-TIFF of 2 channels")

    def test_the_users_word_counts_and_is_contradicted(self):
        self.mhd("a.mhd", False, 3 * (SIZE * 1e3,))
        run = self.tessera("permeability", "a.mhd", "--voxel-size", "5um", "--no-fields",
                           "--max-steps", 1, "--out", "out")
        self.assertIn("a.mhd says voxels of 2.25 x 2.25 x 2.25 um (ElementSpacing)", run.stderr)
        image = json.loads(self.path("out/results.json").read_text())["image"]
        self.assertAlmostEqual(image["voxel_size_m"], 5e-6, delta=1e-20)
        self.assertEqual(image["voxel_size_from"], "--voxel-size")
        run = self.tessera("permeability", "a.mhd", "--voxel-size", "2.25um", "--no-fields",
                           "--max-steps", 1, "--out", "out")
        self.assertNotIn("says voxels", run.stderr)
        run = self.tessera("info", "a.mhd")
        self.assertIn("2.25 um (ElementSpacing of the file)", run.stdout)

    def test_a_spacing_without_a_unit_is_not_relied_on(self):
        self.vti("a.vti", (2.25, 2.25, 2.25))
        for said in self.tessera("permeability", "a.vti", "--no-fields", "--max-steps", 1, "--out", "out"), self.tessera("info", "a.vti"):
            self.assertIn("tessera: a.vti: its Spacing of 2.25 x 2.25 x 2.25 has no unit, and in metres would be voxels of 2.25 m: "
                          "not relied on", said.stderr)
        self.assertIsNone(json.loads(self.path("out/results.json").read_text())
                          ["image"]["voxel_size_m"])

    def test_a_unit_that_nobody_knows_is_not_relied_on(self):
        head = ["type: uchar", "encoding: raw", "spacings: 2 2 2"]
        self.write("a.nrrd", nrrd([*head, 'units: "ft" "ft" "ft"'], CONTENT))
        self.write("j.tif", tiff_stack("ImageJ=1.53t\nimages=8\nslices=8\nunit=inch\nspacing=2\n", (1, 2)))
        self.write("o.tif", tiff_stack('<OME><Image><Pixels SizeZ="8" PhysicalSizeX="2" PhysicalSizeXUnit="ft" '
                                       'PhysicalSizeY="2" PhysicalSizeYUnit="ft"/></Image></OME>'))
        for name, unit in ("a.nrrd", "ft"), ("j.tif", "inch"), ("o.tif", "ft"):
            run = self.tessera("permeability", name, "--no-fields", "--max-steps", 1, "--out", "out")
            self.assertIn(f"is in '{unit}', which is no unit of length known here: not relied on", run.stderr)
            self.assertIsNone(json.loads(self.path("out/results.json").read_text())["image"]["voxel_size_m"])
        # Each axis in its own.
        self.assert_size(self.write("b.nrrd", nrrd([*head[:2], "spacings: 2.25 0.00225 2250", 'units: "um" "mm" "nm"'],
                                                   CONTENT)), "spacing")
        self.assertIsNone(self.image_of(self.write("p.tif", tiff_stack(
            "ImageJ=1.53t\nimages=8\nslices=8\nunit=pixel\n", (1, 1))))["voxel_size_m"])

    def test_a_unit_that_the_user_says_is_known_or_told(self):
        raw = self.write("a.raw", CONTENT)
        shape = ",".join(map(str, SHAPE))
        self.assert_refused("permeability", raw, "--shape", shape, "--voxel-size", "5 micron", "--check",
                            says="--voxel-size 5 micron: expected a positive length with a unit (nm, um, mm, cm, m)")
        run = self.tessera("permeability", raw, "--shape", shape, "--voxel-size", "17 m", "--check")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertIn("voxels of 17 m: are you sure?", run.stderr)

    def test_voxels_that_are_no_cubes_are_refused(self):
        self.mhd("a.mhd", False, (SIZE * 1e3, SIZE * 1e3, 3 * SIZE * 1e3))
        self.assert_refused("permeability", "a.mhd", "--check",
                            says="a.mhd says voxels of 2.25 x 2.25 x 6.75 um (ElementSpacing): "
                                 "cubes were expected")
        self.assert_refused("permeability", self.dicom("scan", rows_mm=0.5 * SIZE * 1e3), "--check",
                            says="scan says voxels of 2.25 x 1.125 x 2.25 um (PixelSpacing)")
        # Cut along the axes of the image, the long edge goes with its axis.
        run = self.tessera("permeability", "a.mhd", "--axes", "zyx", "--check")
        self.assertIn("6.75 x 2.25 x 2.25 um", run.stderr)
        self.assertEqual(self.image_of("a.mhd", "--voxel-size", "3um")["voxel_size_m"], 3e-6)
        # To look at them is not to compute with them.
        run = self.tessera("info", "a.mhd")
        self.assertEqual(run.returncode, DONE)
        self.assertIn("tessera: a.mhd says voxels of 2.25 x 2.25 x 6.75 um (ElementSpacing)", run.stderr)
        self.assertIn("8 voxels along x, y, z", run.stdout)


if __name__ == "__main__":
    unittest.main()
