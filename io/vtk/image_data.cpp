// SPDX-License-Identifier: MIT
// VTK's XML image data (.vti).
#include <fmt/format.h>
#include <vtkAOSDataArrayTemplate.h>
#include <vtkCellData.h>
#include <vtkDataArraySelection.h>
#include <vtkErrorCode.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLImageDataWriter.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "io/text.hpp"
#include "io/vtk/complaints.hpp"
#include "io/vtk/images.hpp"
#include "io/vtk/shown.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// An array of an image data file, as the header describes it.
struct Candidate {
  std::string name;
  bool of_cells = false;
  int vtk_type = 0;
};

/// Arrays that have one value a voxel.
std::vector<Candidate> arrays_of(vtkAlgorithm& reader) {
  std::vector<Candidate> arrays;
  vtkInformation* const output = reader.GetOutputInformation(0);
  for (bool const of_cells : {false, true}) {
    auto* const key =
        of_cells ? vtkDataObject::CELL_DATA_VECTOR() : vtkDataObject::POINT_DATA_VECTOR();
    vtkInformationVector* const all = output->Get(key);
    for (int i = 0; all != nullptr && i < all->GetNumberOfInformationObjects(); ++i) {
      vtkInformation* const array = all->GetInformationObject(i);
      char const* const name = array->Get(vtkDataObject::FIELD_NAME());
      if (array->Get(vtkDataObject::FIELD_NUMBER_OF_COMPONENTS()) > 1) continue;
      if (name != nullptr && std::string_view(name) == "vtkGhostType") continue;
      arrays.push_back(
          {name == nullptr ? "" : name, of_cells, array->Get(vtkDataObject::FIELD_ARRAY_TYPE())});
    }
  }
  return arrays;
}

Candidate choose(fs::path const& path, std::vector<Candidate> const& arrays,
                 std::string const& name) {
  std::vector<Candidate> chosen;
  std::vector<std::string> names;
  for (Candidate const& array : arrays) {
    names.push_back(
        fmt::format("{} ({})", printable(array.name), array.of_cells ? "cells" : "points"));
    if (name.empty() || array.name == name) chosen.push_back(array);
  }
  if (chosen.size() == 1) return chosen.front();
  if (names.empty()) refuse(path, "no array with one value a voxel");
  refuse(path, fmt::format("one array{} was expected, but it holds {}",
                           name.empty() ? "" : " named " + name, joined(names, ", ")));
}

/// Bits as bytes; other values unchanged.
vtkSmartPointer<vtkDataArray> unpacked(vtkDataArray* values) {
  if (values == nullptr || values->GetDataType() != VTK_BIT) return values;
  auto const bytes = vtkSmartPointer<vtkUnsignedCharArray>::New();
  bytes->DeepCopy(values);
  return bytes;
}

/// A VTK array on the field's own values, which are not copied.
vtkSmartPointer<vtkDataArray> array_of(Field const& field) {
  return std::visit(
      [&]<typename T>(std::span<T const> values) {
        auto const array = vtkSmartPointer<vtkAOSDataArrayTemplate<T>>::New();
        array->SetName(field.name.c_str());
        array->SetNumberOfComponents(field.components);
        constexpr int keep = 1;  // VTK only reads the values and must not free them
        array->SetArray(const_cast<T*>(values.data()), static_cast<vtkIdType>(values.size()), keep);
        return vtkSmartPointer<vtkDataArray>(array);
      },
      field.values);
}

}  // namespace

void Images::read_image_data(fs::path const& path, std::string const& array, Show const& check,
                             Show const& take) {
  Complaints const complaints;
  vtkNew<vtkXMLImageDataReader> reader;
  reader->SetFileName(path.c_str());
  reader->UpdateInformation();
  complaints.refuse_if_any(path);
  Candidate const chosen = choose(path, arrays_of(*reader), array);
  Int3 shape = promised_points(*reader);
  if (chosen.of_cells) {
    for (Axis const axis : all_axes) shape[axis] = std::max<std::int64_t>(shape[axis] - 1, 1);
  }
  check({.shape = shape, .type = type_of(path, chosen.vtk_type)});
  for (bool const of_cells : {false, true}) {
    vtkDataArraySelection* const arrays =
        of_cells ? reader->GetCellDataArraySelection() : reader->GetPointDataArraySelection();
    arrays->DisableAllArrays();
    if (of_cells == chosen.of_cells) arrays->EnableArray(chosen.name.c_str());
  }
  reader->Update();
  complaints.refuse_if_any(path);
  vtkImageData& data = *reader->GetOutput();
  vtkDataSetAttributes& attributes = chosen.of_cells
                                         ? static_cast<vtkDataSetAttributes&>(*data.GetCellData())
                                         : *data.GetPointData();
  vtkSmartPointer<vtkDataArray> const values = unpacked(attributes.GetArray(chosen.name.c_str()));
  take(shown(path, values, shape, data.GetSpacing()));
}

void Images::write_image_data(fs::path const& path, Int3 shape, Spacing const& spacing,
                              std::span<Field const> fields) {
  Complaints const complaints;
  vtkNew<vtkImageData> data;
  data->SetDimensions(static_cast<int>(shape.x) + 1, static_cast<int>(shape.y) + 1,
                      static_cast<int>(shape.z) + 1);
  data->SetSpacing(spacing.edges.data());
  for (Field const& field : fields) data->GetCellData()->AddArray(array_of(field));
  vtkNew<vtkXMLImageDataWriter> writer;
  writer->SetFileName(path.c_str());
  writer->SetInputData(data);
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  if (writer->Write() == 0 || writer->GetErrorCode() != 0) {
    throw EnvironmentError(
        fmt::format("cannot write {}: {}", path.string(),
                    vtkErrorCode::GetStringFromErrorCode(writer->GetErrorCode())));
  }
}

}  // namespace tessera
