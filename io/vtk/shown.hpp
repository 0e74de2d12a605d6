// SPDX-License-Identifier: MIT
// VTK's arrays in the form for Tessera's readers.
#pragma once

#include <vtkAlgorithm.h>
#include <vtkDataArray.h>

#include <array>
#include <filesystem>

#include "io/vtk_module.hpp"

namespace tessera {

/// The element type of one of VTK's type numbers. Throws BadInput for types that are no numbers.
ElementType type_of(std::filesystem::path const& path, int vtk_type);

std::array<double, 3> to_array(double const* values);

/// Number of points that a reader announces, before it has read them.
Int3 promised_points(vtkAlgorithm& reader);

/// The voxels of an array. Throws BadInput if there are too few values, or several a voxel.
VtkVoxels shown(std::filesystem::path const& path, vtkDataArray* values, Int3 shape,
                double const* spacing);

}  // namespace tessera
