# SPDX-License-Identifier: MIT
"""One asymmetric image in the formats that are read."""

import h5py
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOImage import vtkMetaImageWriter
from vtkmodules.vtkIOXML import vtkXMLImageDataWriter

from command import CommandTest, bent_pores
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
