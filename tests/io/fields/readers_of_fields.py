# SPDX-License-Identifier: MIT
"""What ParaView and the readers of VTK find in files of fields.

    pvpython readers_of_fields.py FILE...

Prints a line of JSON for each file and reader before the next is tried, as some end with the process:
file, reader, and of each array its values, components, range, and a sum that depends on their order.
"""

import json
import sys

import numpy
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
from vtkmodules.vtkIOXdmf3 import vtkXdmf3Reader
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

READERS = {"vtkhdf": [vtkHDFReader], "vti": [vtkXMLImageDataReader], "xdmf": [vtkXdmfReader, vtkXdmf3Reader]}


def say(file, reader, data):
    arrays = {}
    for values in data.GetPointData(), data.GetCellData():
        for array in map(values.GetArray, range(values.GetNumberOfArrays())):
            numbers = vtk_to_numpy(array).astype(float).ravel()
            arrays[array.GetName()] = [array.GetNumberOfTuples(), array.GetNumberOfComponents(), *array.GetRange(-1),
                                       float(numbers @ numpy.sin(numpy.arange(numbers.size)))]
    print(json.dumps({"file": file, "reader": reader, "arrays": arrays}), flush=True)


def by_paraview(file):
    """By its name, as a double click does; 5.11 does not know '.vtkhdf' and must be told."""
    source = simple.VTKHDFReader(FileName=file) if file.endswith(".vtkhdf") else simple.OpenDataFile(file)
    source.UpdatePipeline()
    say(file, "ParaView", source.SMProxy.GetClientSideObject().GetOutputDataObject(0))


def by(reader_class, file):
    reader = reader_class()  # whose arrays may be its own
    reader.SetFileName(file)
    reader.Update()
    say(file, reader_class.__name__, reader.GetOutputDataObject(0))


for name in sys.argv[1:]:
    by_paraview(name)
    for one in READERS[name.rpartition(".")[2]]:
        by(one, name)
