// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <vtkImageData.h>
#include <vtkMetaImageReader.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include "io/vtk/complaints.hpp"
#include "io/vtk/images.hpp"
#include "io/vtk/shown.hpp"

namespace tessera {

namespace fs = std::filesystem;

void Images::read_meta_image(fs::path const& path, Show const& check, Show const& take) {
  Complaints const complaints;
  vtkNew<vtkMetaImageReader> reader;
  if (reader->CanReadFile(path.c_str()) == 0) refuse(path, "not a readable MetaImage");
  reader->SetFileName(path.c_str());
  reader->UpdateInformation();
  complaints.refuse_if_any(path);
  if (reader->GetNumberOfScalarComponents() != 1) {
    refuse(path, fmt::format("{} values a voxel, one was expected",
                             reader->GetNumberOfScalarComponents()));
  }
  Int3 const shape = promised_points(*reader);
  check({.shape = shape, .type = type_of(path, reader->GetDataScalarType())});
  reader->Update();
  complaints.refuse_if_any(path);
  vtkImageData& data = *reader->GetOutput();
  take(shown(path, data.GetPointData()->GetScalars(), shape, data.GetSpacing()));
}

}  // namespace tessera

extern "C" __attribute__((visibility("default"))) tessera::VtkImages* tessera_vtk_images() {
  static tessera::Images images;
  return &images;
}
