// SPDX-License-Identifier: MIT
#include "permeability/fields.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "io/vtkhdf.hpp"

namespace tessera {

FlowFields copy_fields(VisitNodes const& visit_nodes, PreparedBox const& box, Int3 image_shape,
                       std::optional<double> voxel_size_m, PhysicalFluid const& fluid, bool keep) {
  FieldUnits const units = field_units(box.viscosity, voxel_size_m, fluid);
  Int3 const lower = box.sample_lower;
  auto const voxels = keep ? static_cast<std::size_t>(volume(image_shape)) : 0;
  FlowFields fields{.spacing = units.spacing,
                    .velocity = std::vector<float>(3 * voxels),
                    .pressure = std::vector<float>(voxels),
                    .density = std::vector<float>(voxels),
                    .tile = std::vector<std::int32_t>(voxels, -1),
                    .solid = std::vector<std::uint8_t>(voxels, 1)};

  visit_nodes([&](Int3 voxel, std::int32_t tile, NodeState const& state) {
    double speed_squared = 0;
    for (float const u : state.velocity) {
      speed_squared += static_cast<double>(u) * static_cast<double>(u);
    }
    fields.max_speed = std::max(fields.max_speed, std::sqrt(speed_squared));
    if (!keep) return;
    // Neither buffer layers nor the mirror image are the user's.
    Int3 const at = voxel - lower;
    for (Axis a : all_axes) {
      if (at[a] < 0 || at[a] >= image_shape[a]) return;
    }
    std::size_t const i = linear_index(image_shape, at);
    auto const node = node_fields(state, units);
    std::ranges::copy(node.velocity, fields.velocity.begin() + static_cast<std::ptrdiff_t>(3 * i));
    fields.pressure[i] = node.pressure;
    fields.density[i] = node.density;
    fields.tile[i] = tile;
    fields.solid[i] = 0;
  });
  return fields;
}

void write_fields(std::filesystem::path const& path, Int3 image_shape, FlowFields const& fields) {
  Field const all[] = {{"velocity", 3, std::span(fields.velocity)},
                       {"pressure", 1, std::span(fields.pressure)},
                       {"density", 1, std::span(fields.density)},
                       {"tile", 1, std::span(fields.tile)},
                       {"solid", 1, std::span(fields.solid)}};
  write_vtkhdf(path, image_shape, fields.spacing, all);
}

}  // namespace tessera
