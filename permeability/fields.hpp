// SPDX-License-Identifier: MIT
// The fields of a finished flow on the voxels of the image, in SI units.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "permeability/permeability_run.hpp"
#include "run/field_units.hpp"

namespace tessera {

/// The fields of an image, voxel by voxel, x fastest.
struct FlowFields {
  double spacing = 1;           ///< edge of a voxel, m
  std::vector<float> velocity;  ///< m/s, three components
  std::vector<float> pressure;  ///< Pa, without the mean gradient that drives the flow
  std::vector<float> density;   ///< kg/m^3
  std::vector<std::int32_t> tile;
  std::vector<std::uint8_t> solid;
  double max_speed = 0;  ///< of any node, lattice units
};

/// Copies the fields out of a flow; without a voxel size in lattice units. Nothing may be submitted
/// meanwhile. If `keep` is false only max_speed is found.
FlowFields copy_fields(PermeabilityRun& run, PreparedFlow const& prepared, Int3 image_shape,
                       std::optional<double> voxel_size_m, PhysicalFluid const& fluid, bool keep);

/// Writes the fields for ParaView. Throws EnvironmentError.
void write_fields(std::filesystem::path const& path, Int3 image_shape, FlowFields const& fields);

}  // namespace tessera
