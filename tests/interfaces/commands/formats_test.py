# SPDX-License-Identifier: MIT
"""Every format that is read: the same asymmetric image gives the same permeability along each axis,
and the voxel size that the file says is used, unless the user says another one."""

import gzip
import hashlib
import json
import struct
import unittest

import h5py
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOImage import vtkMetaImageWriter
from vtkmodules.vtkIOXML import vtkXMLImageDataWriter

from classic_netcdf import classic_netcdf
from command import DONE, NOT_CONVERGED, CommandTest, bent_pores
from dicom import dicom_slice

CONTENT, SHAPE = bent_pores()
IMAGE = np.frombuffer(CONTENT, np.uint8).reshape(SHAPE[::-1])  # [z, y, x]
SIZE = 2.25e-6


def nrrd(fields, data):
    lines = ["NRRD0004", "dimension: 3", "sizes: " + " ".join(map(str, SHAPE)), *fields, "", ""]
    return "\n".join(lines).encode() + data


def meta_image(fields, data="LOCAL"):
    lines = ["ObjectType = Image", "NDims = 3", "DimSize = " + " ".join(map(str, SHAPE)),
             "ElementType = MET_UCHAR", *fields, f"ElementDataFile = {data}", ""]
    return "\n".join(lines).encode()


def vtk_image(spacing=(1, 1, 1), cells=False, **more):
    """The image as points or cells of VTK, with further arrays beside it."""
    data = vtkImageData()
    data.SetDimensions(*[n + cells for n in SHAPE])
    data.SetSpacing(*spacing)
    where = data.GetCellData() if cells else data.GetPointData()
    for name, values in {"labels": IMAGE, **more}.items():
        array = numpy_to_vtk(np.ascontiguousarray(values).ravel(), deep=True)
        array.SetName(name)
        where.AddArray(array)
    return data


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


class FormatTest(CommandTest):
    def write_vtk(self, writer, name, data):
        writer.SetFileName(str(self.path(name)))
        writer.SetInputData(data)
        writer.Write()
        return name

    def vti(self, name, *arguments, mode="appended", **arrays):
        writer = vtkXMLImageDataWriter()
        getattr(writer, {"ascii": "SetDataModeToAscii", "appended": "SetDataModeToAppended",
                         "binary": "SetDataModeToBinary"}[mode])()
        return self.write_vtk(writer, name, vtk_image(*arguments, **arrays))

    def mhd(self, name, compressed, spacing=(1, 1, 1)):
        writer = vtkMetaImageWriter()
        writer.SetCompression(compressed)
        data = vtk_image(spacing)
        data.GetPointData().SetActiveScalars("labels")
        return self.write_vtk(writer, name, data)

    def hdf5(self, name, **arrays):
        with h5py.File(self.path(name), "w") as file:
            for key, values in arrays.items():
                file.create_dataset(key, data=values)
        return name

    def dicom(self, name, names="slice_{:03}.dcm", placed=True, numbers=None, **more):
        self.path(name).mkdir()
        for z in range(SHAPE[2]):
            if numbers is not None and z not in numbers:
                continue
            position = 7 + z * SIZE * 1e3 if placed else None
            # Their names do not follow their positions.
            (self.path(name) / names.format((z * 3) % SHAPE[2] if placed else z)).write_bytes(
                dicom_slice(IMAGE[z].ravel().tolist(), SHAPE[:2], z + 1, position, SIZE * 1e3,
                            **more))
        return name

    def image_of(self, *arguments):
        """What results.json says of the image."""
        return self.compute(*arguments, "--no-fields", "--max-steps", 1,
                            status=NOT_CONVERGED)["image"]


class SameFlow(FormatTest):
    @classmethod
    def setUpClass(cls):
        cls.expected = None

    def permeability(self, *arguments):
        return self.compute(*arguments, "--axis", "all", "--no-fields")["permeability"]

    def assert_same(self, *arguments):
        if SameFlow.expected is None:
            raw = self.write("expected.raw", CONTENT)
            SameFlow.expected = self.permeability(raw, "--shape", ",".join(map(str, SHAPE)))
        found = self.permeability(*arguments)
        for axis in "xyz":
            for key in ("k_lattice", "steps", "mean_velocity_lattice"):
                self.assertEqual(found[axis][key], SameFlow.expected[axis][key], (arguments, axis))

    def test_nrrd_of_all_encodings(self):
        for encoding, data in (("raw", CONTENT), ("gzip", gzip.compress(CONTENT)),
                               ("ascii", " ".join(map(str, CONTENT)).encode())):
            name = self.write("a.nrrd", nrrd(["type: uchar", f"encoding: {encoding}"], data))
            self.assert_same(name)
        wide = struct.pack(f">{len(CONTENT)}h", *CONTENT)
        self.assert_same(self.write("big.nrrd", nrrd(
            ["type: short", "endian: big", "encoding: raw"], wide)))
        self.write("voxels.bin", CONTENT)
        self.assert_same(self.write("a.nhdr", nrrd(
            ["type: uchar", "encoding: raw", "data file: voxels.bin"], b"")))

    def test_the_voxels_beside_a_nrrd_header_count_as_its_file(self):
        """So do their bytes, which may be many, and are in the sum that tells images apart."""
        fields = ["type: uchar", "encoding: raw", "data file: large.bin"]
        header = nrrd(fields, b"").replace(b"12 10 8", b"100 100 100")
        self.write("large.nhdr", header)
        voxels = bytes(500000) + b"\1" * 500000
        self.write("large.bin", voxels)
        said = self.tessera("info", "large.nhdr")
        self.assertEqual(said.returncode, DONE, said.stderr)
        self.assertIn(hashlib.sha256(header + voxels).hexdigest(), said.stdout)

    def test_meta_image_with_its_voxels_inside_and_beside(self):
        self.assert_same(self.write("a.mha", meta_image([]) + CONTENT))
        self.write("a.raw", CONTENT)
        self.assert_same(self.write("a.mhd", meta_image([], "a.raw")))
        self.assert_same(self.mhd("packed.mhd", True))
        self.assert_same(self.mhd("packed.mha", True))

    def test_vti_of_points_and_cells_in_all_modes(self):
        for mode in "ascii", "binary", "appended":
            self.assert_same(self.vti("a.vti", mode=mode))
        self.assert_same(self.vti("cells.vti", cells=True))
        self.assert_same(self.vti("two.vti", grey=IMAGE * 2.5), "--dataset", "labels")

    def test_hdf5_with_chunks_filters_and_types(self):
        self.assert_same(self.hdf5("a.h5", image=IMAGE))
        self.assert_same(self.hdf5("wide.h5", image=IMAGE.astype(">i8")))
        self.assert_same(self.hdf5("real.h5", image=IMAGE.astype("<f2")))
        self.assert_same(self.hdf5("time.h5", image=IMAGE[None, None]))
        self.assert_same(self.hdf5("channel.h5", image=IMAGE[..., None]))  # as ilastik writes it
        self.assert_same(self.hdf5("both.h5", image=IMAGE[None, :, None]))
        self.assert_same(self.hdf5("bool.h5", pores=IMAGE == 0), "--pore", 1)
        self.assert_same(self.hdf5("two.h5", **{"in/labels": IMAGE, "in/grey": IMAGE * 2.5}),
                         "--dataset", "labels")
        with h5py.File(self.path("packed.h5"), "w") as file:
            file.create_dataset("image", data=IMAGE, chunks=(4, 4, 4), compression="gzip",
                                shuffle=True)
        self.assert_same("packed.h5")
        with h5py.File(self.path("lzf.h5"), "w") as file:
            file.create_dataset("image", data=IMAGE, chunks=(4, 10, 12), compression="lzf", shuffle=True)
        with h5py.File(self.path("whole.h5"), "w") as file:
            layout = h5py.VirtualLayout(IMAGE.shape, IMAGE.dtype)
            layout[:] = h5py.VirtualSource("lzf.h5", "image", IMAGE.shape)
            file.create_virtual_dataset("image", layout)
        self.assert_same("whole.h5")
        with h5py.File(self.path("matlab.mat"), "w", userblock_size=512) as file:
            file.create_dataset("rock", data=IMAGE)
        with open(self.path("matlab.mat"), "r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64")
        self.assert_same("matlab.mat")

    def test_netcdf_4(self):
        with h5py.File(self.path("a.nc"), "w") as file:
            segmented = file.create_dataset("segmented", data=IMAGE)
            for axis, name in enumerate("zyx"):
                scale = file.create_dataset(name, data=np.arange(IMAGE.shape[axis], dtype=float))
                scale.make_scale(name)
                segmented.dims[axis].attach_scale(scale)
        self.assert_same("a.nc")

    def test_classic_netcdf_of_all_versions_and_types(self):
        for version, name in (1, "i1"), (1, "i2"), (2, "i4"), (2, "f8"), (5, "u1"), (5, "i8"):
            self.assert_same(self.write("a.nc", classic_netcdf({"segmented": IMAGE.astype(name)}, version=version)))
        self.assert_same(self.write("b.nc", classic_netcdf({"segmented": IMAGE.astype("i4")}, records=True)))
        self.assert_same(self.write("c.nc", classic_netcdf(
            {"grey": IMAGE * 2.5, "labels": IMAGE.astype("i1"), "row": IMAGE[0].astype("i2")})),
            "--dataset", "labels")
        # The first versions have no unsigned bytes; programs write them so.
        self.assert_same(self.write("d.nc", classic_netcdf(
            {"labels": (IMAGE * 255).view("i1")}, own={"_Unsigned": "true"})), "--solid", 255)

    def test_a_dicom_series_in_the_order_of_its_positions(self):
        self.assert_same(self.dicom("scan"))
        self.assert_same(self.dicom("unplaced", placed=False))
        self.assert_same(self.dicom("nameless", names="IM{}"))

    def test_the_npz_array_that_is_asked_for(self):
        np.savez(self.path("two.npz"), labels=IMAGE, grey=IMAGE * 2.5)
        self.assert_same("two.npz", "--dataset", "labels")


class VoxelSize(FormatTest):
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


class Refused(FormatTest):
    def refused(self, name, says, *arguments):
        self.assert_refused("permeability", name, *arguments, "--check", says=says)

    def test_damaged_files(self):
        head = ["type: uchar", "encoding: raw"]
        self.refused(self.write("a.nrrd", nrrd(head, CONTENT[:-1])), "a.nrrd: truncated: its voxels end after 959 bytes")
        self.refused(self.write("b.nrrd", b"NRRD0004\ntype: uchar\n\n"), "not a readable NRRD")
        self.refused(self.write("a.nhdr", nrrd([*head, "data file: no.raw"], b"")), "no.raw")
        for names in "s%d.raw 0 7 1", "LIST\ns0.raw\ns1.raw":
            for name in "s0.raw", "s1.raw":
                self.write(name, CONTENT[:len(CONTENT) // 2])
            self.refused(self.write("b.nhdr", nrrd([*head], b"")[:-1] + f"data file: {names}\n".encode()), "b.nhdr: ")
        self.refused(self.write("a.mha", meta_image([]) + CONTENT[:-1]), "a.mha: ")
        self.refused(self.write("a.mhd", meta_image([], "no.raw")), "no.raw: no such file")
        self.refused(self.write("b.mhd", meta_image([], "LIST")), "0 files of voxels, but 8 planes")
        self.refused(self.write("c.mhd", b"nothing"), "MetaImage")
        content = self.path(self.vti("a.vti")).read_bytes()
        self.refused(self.write("a.vti", content[:-200]), "a.vti: ")
        self.refused(self.write("b.vti", content[:300]), "b.vti: ")
        content = self.path(self.hdf5("a.h5", image=np.repeat(IMAGE, 20, 0))).read_bytes()
        self.refused(self.write("a.h5", content[:-800]), "a.h5: ")
        self.refused(self.write("b.h5", content[:100]), "b.h5: ")
        for version in 1, 2, 5:
            content = classic_netcdf({"image": IMAGE.astype("i1")}, version=version)
            for length in 4, 20, len(content) - 200, len(content) - 1:
                self.refused(self.write("c.nc", content[:length]),
                             "c.nc: truncated or damaged: not readable as classic NetCDF")
        content = (self.path(self.dicom("scan")) / "slice_000.dcm").read_bytes()
        self.refused(self.write("a.dcm", content[:-30]), "a.dcm: ")
        self.refused(self.write("b.dcm", content[:140]), "b.dcm: ")

    def test_a_filter_that_is_not_there_is_named(self):
        with h5py.File(self.path("a.h5"), "w") as file:
            properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            properties.set_chunk(IMAGE.shape)
            properties.set_filter(32001, h5py.h5z.FLAG_OPTIONAL)
            file["image"] = h5py.Dataset(h5py.h5d.create(
                file.id, None, h5py.h5t.NATIVE_UINT8, h5py.h5s.create_simple(IMAGE.shape), properties))
        self.refused("a.h5", "a.h5: packed by the filter '' (32001), which HDF5 does not have here: pack it by gzip")

    def test_promises_beyond_the_file(self):
        fields = ["type: uchar", "encoding: gzip"]
        big = nrrd(fields, gzip.compress(CONTENT)).replace(b"12 10 8", b"9000 9000 9000")
        self.refused(self.write("a.nrrd", big), "truncated")
        big = meta_image([]).replace(b"12 10 8", b"9000 9000 9000") + CONTENT
        self.refused(self.write("a.mha", big), "truncated")
        with h5py.File(self.path("a.h5"), "w") as file:
            file.create_dataset("image", shape=(9000, 9000, 9000), dtype="u1", chunks=True)
        self.refused("a.h5", "a part of it is missing: 0 of the")
        small = classic_netcdf({"a": IMAGE.astype("i1")})
        sizes = [struct.pack(">i", n) for n in IMAGE.shape]
        for size in sizes:
            small = small.replace(size, struct.pack(">i", 9000))
        self.refused(self.write("a.nc", small), "truncated")

    def test_several_arrays_and_none(self):
        self.refused(self.hdf5("a.h5", one=IMAGE, two=IMAGE),
                     "one 3-D data set was expected, but it holds /one (8 x 10 x 12), /two")
        self.refused("a.h5", "one 3-D data set named three", "--dataset", "three")
        self.refused(self.hdf5("b.h5", one=IMAGE[0]), "no 3-D data set of numbers")
        two = classic_netcdf({"one": IMAGE.astype("i1"), "two": IMAGE.astype("i2")})
        self.refused(self.write("a.nc", two),
                     "one 3-D data set was expected, but it holds one (8 x 10 x 12), two (8 x")
        self.refused("a.nc", "one 3-D data set named three", "--dataset", "three")
        self.refused(self.write("b.nc", classic_netcdf({"one": IMAGE[0].astype("i1")})),
                     "no 3-D data set of numbers")
        self.refused(self.vti("a.vti", grey=IMAGE * 2.5),
                     "one array was expected, but it holds labels (points), grey (points)")
        self.refused(self.write("a.nrrd", nrrd(["type: uchar", "encoding: raw"], CONTENT)),
                     "it has no arrays with names", "--dataset", "a")

    def test_colours_and_further_axes(self):
        self.refused(self.write("a.nrrd", b"NRRD0004\ntype: uchar\ndimension: 4\nsizes: 3 4 4 4\n"
                                b"encoding: raw\n\n" + bytes(192)), "4 axes")
        self.refused(self.write("a.mha", meta_image(["ElementNumberOfChannels = 3"]) +
                                3 * CONTENT), "3 values a voxel")

    def test_dicom_that_is_no_even_series(self):
        self.refused(self.dicom("gap", numbers={0, 1, 2, 4, 5, 6, 7}), "one is missing")
        self.refused(self.dicom("holes", placed=False, numbers={0, 1, 3}), "slice 2 is missing")
        self.refused(self.dicom("packed", syntax=b"1.2.840.10008.1.2.4.90"), "compressed DICOM")


if __name__ == "__main__":
    unittest.main()
