# SPDX-License-Identifier: MIT
"""Fields in every format are the same numbers, as the libraries of those formats read them."""

import unittest
import xml.etree.ElementTree as xml

import h5py
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

from command import CommandTest, bent_pores, duct_case

SIZE = 2e-6
NAMES = ("velocity", "pressure", "density", "tile", "solid")


def values_of_vti(path):
    reader = vtkXMLImageDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    data = reader.GetOutput()
    shape = [n - 1 for n in data.GetDimensions()][::-1]
    cells = data.GetCellData()
    arrays = {name: vtk_to_numpy(cells.GetArray(name)) for name in NAMES}
    return data.GetSpacing(), {name: values.reshape(*shape, *values.shape[1:])
                               for name, values in arrays.items()}


class FieldFormats(CommandTest):
    def setUp(self):
        super().setUp()
        self.image = self.write_raw("bent.raw", bent_pores())

    def fields(self, ending):
        self.compute(*self.image, "--voxel-size", "2um", "--fields-format", ending)
        return self.path(f"out/fields.{ending}")

    def test_the_same_numbers_in_all_of_them(self):
        with h5py.File(self.fields("vtkhdf")) as file:
            expected = {name: file["VTKHDF/PointData"][name][:] for name in NAMES}
        self.assertGreater(np.abs(expected["velocity"]).max(), 0)

        with np.load(self.fields("npz")) as file:
            self.assertEqual(sorted(file), sorted([*NAMES, "spacing"]))
            self.assertEqual(file["spacing"], SIZE)
            for name in NAMES:
                np.testing.assert_array_equal(file[name], expected[name], name)
        self.assertFalse(self.path("out/fields.vtkhdf").exists())  # of the run before

        spacing, found = values_of_vti(self.fields("vti"))
        self.assertEqual(spacing, (SIZE,) * 3)
        for name in NAMES:
            np.testing.assert_array_equal(found[name], expected[name], name)

        description = xml.parse(self.fields("xdmf")).getroot()
        items = {a.get("Name"): a.find("DataItem") for a in description.iter("Attribute")}
        self.assertEqual(sorted(items), sorted(NAMES))
        for name, item in items.items():
            file_name, _, data = item.text.partition(":")
            with h5py.File(self.path("out") / file_name) as file:
                self.assertEqual(item.get("Dimensions"), " ".join(map(str, file[data].shape)))
                np.testing.assert_array_equal(file[data][:], expected[name], name)

    def test_a_case_writes_them_and_its_averages(self):
        self.write("case.toml", duct_case("[6, 6, 8]", '[output]\nfields-format = "npz"'))
        run = self.tessera("run", "case.toml", "--out", "out")
        self.assertEqual(run.returncode, 0, run.stderr)
        with np.load(self.path("out/fields.npz")) as file:
            self.assertEqual(file["velocity"].shape, (8, 6, 6, 3))
        with np.load(self.path("out/averages.npz")) as file:
            self.assertEqual(file["velocity"].shape, (8, 6, 6, 3))

    def test_another_format_is_refused(self):
        self.assert_refused("permeability", *self.image, "--fields-format", "vtk", "--check",
                            says="--fields-format vtk: expected vtkhdf, xdmf, vti or npz")

    def test_the_image_as_it_is_understood(self):
        content, shape = bent_pores()
        pores = 1 - np.frombuffer(content, np.uint8).reshape(shape[::-1])
        for ending in "raw", "tif", "npz", "vti", "vtkhdf":
            name = f"pores.{ending}"
            run = self.tessera("info", *self.image, "--write", name)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn(f"{name}: 1 is pore, 0 is solid", run.stdout)
            again = [name, "--pore", 1, *(self.image[1:] if ending == "raw" else [])]
            self.assertIn(f"{np.count_nonzero(pores)} pore voxels",
                          self.tessera("info", *again).stdout)
        with np.load(self.path("pores.npz")) as file:
            np.testing.assert_array_equal(file["im"], pores)
        self.assert_refused("info", *self.image, "--write", "pores.png", says=".vti or .vtkhdf")


if __name__ == "__main__":
    unittest.main()
