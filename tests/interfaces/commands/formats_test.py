# SPDX-License-Identifier: MIT
"""Every format that is read: the same asymmetric image gives the same permeability along each axis,
and what is damaged or no image is refused."""

import gzip
import hashlib
import struct
import unittest

import h5py
import numpy as np

from classic_netcdf import classic_netcdf
from command import DONE
from image_files import CONTENT, IMAGE, SHAPE, FormatTest, meta_image, nrrd


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
