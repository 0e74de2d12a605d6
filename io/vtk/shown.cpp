// SPDX-License-Identifier: MIT
#include "io/vtk/shown.hpp"

#include <fmt/format.h>
#include <vtkInformation.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include "io/vtk/complaints.hpp"

namespace tessera {

namespace fs = std::filesystem;
using Kind = ElementType::Kind;

ElementType type_of(fs::path const& path, int vtk_type) {
  switch (vtk_type) {
    case VTK_BIT:  // bits have been unpacked
    case VTK_UNSIGNED_CHAR:
      return {Kind::unsigned_integer, 1, false};
    case VTK_CHAR:
    case VTK_SIGNED_CHAR:
      return {Kind::signed_integer, 1, false};
    case VTK_UNSIGNED_SHORT:
      return {Kind::unsigned_integer, 2, false};
    case VTK_SHORT:
      return {Kind::signed_integer, 2, false};
    case VTK_UNSIGNED_INT:
      return {Kind::unsigned_integer, 4, false};
    case VTK_INT:
      return {Kind::signed_integer, 4, false};
    case VTK_UNSIGNED_LONG:
    case VTK_UNSIGNED_LONG_LONG:
      return {Kind::unsigned_integer, 8, false};
    case VTK_LONG:
    case VTK_LONG_LONG:
    case VTK_ID_TYPE:
      return {Kind::signed_integer, 8, false};
    case VTK_FLOAT:
      return {Kind::real, 4, false};
    case VTK_DOUBLE:
      return {Kind::real, 8, false};
    default:
      refuse(path, fmt::format("values of VTK's type {}, numbers were expected", vtk_type));
  }
}

std::array<double, 3> to_array(double const* values) { return {values[0], values[1], values[2]}; }

/// Number of points along each axis that the reader promises.
Int3 promised_points(vtkAlgorithm& reader) {
  std::array<int, 6> extent{};
  reader.GetOutputInformation(0)->Get(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(),
                                      extent.data());
  auto const along = [&](std::size_t axis) {
    return static_cast<std::int64_t>(extent[2 * axis + 1]) - extent[2 * axis] + 1;
  };
  return {along(0), along(1), along(2)};
}

VtkVoxels shown(fs::path const& path, vtkDataArray* values, Int3 shape, double const* spacing) {
  if (values == nullptr || values->GetNumberOfTuples() != volume(shape))
    refuse(path, "truncated or damaged: it holds fewer values than voxels");
  if (values->GetNumberOfComponents() != 1) {
    refuse(path,
           fmt::format("{} values a voxel, one was expected", values->GetNumberOfComponents()));
  }
  return {.shape = shape,
          .type = type_of(path, values->GetDataType()),
          .values = values->GetVoidPointer(0),
          .spacing = to_array(spacing)};
}

}  // namespace tessera
