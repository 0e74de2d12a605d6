// SPDX-License-Identifier: MIT
// The fields of a finished flow on the voxels of the image, in SI units.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "codelets/snapshot.hpp"
#include "permeability/permeability_case.hpp"
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

/// Calls for each node of a flow: where it is, in which tile, its state in lattice units.
using VisitNode = std::function<void(Int3 voxel, std::int32_t tile, NodeState const& state)>;
using VisitNodes = std::function<void(VisitNode const&)>;

/// Copies the fields out of a flow; without a voxel size in lattice units. If `keep` is false only
/// max_speed is found.
FlowFields copy_fields(VisitNodes const& visit_nodes, PreparedBox const& box, Int3 image_shape,
                       std::optional<double> voxel_size_m, PhysicalFluid const& fluid, bool keep);

/// Writes the fields for ParaView. Throws EnvironmentError.
void write_fields(std::filesystem::path const& path, Int3 image_shape, FlowFields const& fields);

}  // namespace tessera
