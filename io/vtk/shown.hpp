// SPDX-License-Identifier: MIT
// VTK's arrays as Tessera's readers see them.
#pragma once

#include <vtkAlgorithm.h>
#include <vtkDataArray.h>

#include <array>
#include <filesystem>

#include "io/vtk_module.hpp"

namespace tessera {

/// Of one of VTK's numbers of types. Throws BadInput for what is no number.
ElementType type_of(std::filesystem::path const& path, int vtk_type);

std::array<double, 3> to_array(double const* values);

/// Points that a reader promises, before it has read them.
Int3 promised_points(vtkAlgorithm& reader);

/// Throws BadInput if there are too few values, or several a voxel.
VtkVoxels shown(std::filesystem::path const& path, vtkDataArray* values, Int3 shape,
                double const* spacing);

}  // namespace tessera
