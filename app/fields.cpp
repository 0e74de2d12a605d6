// SPDX-License-Identifier: MIT
#include "app/fields.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "io/vtkhdf.hpp"
#include "lattice/units.hpp"

namespace tessera {
namespace {

/// Factors from lattice units to SI. One step lasts dt = nu dx^2 / nu_SI.
struct Units {
  double spacing = 1;
  double velocity = 1;
  double pressure = 1;
  double density = 1;
};

Units units_for(double lattice_viscosity, std::optional<double> voxel_size_m,
                PhysicalFluid const& fluid) {
  if (!voxel_size_m) return {};
  double const dx = *voxel_size_m;
  double const dt = lattice_viscosity * dx * dx / fluid.kinematic_viscosity;
  return {dx, dx / dt, fluid.density * (dx / dt) * (dx / dt), fluid.density};
}

}  // namespace

FlowFields copy_fields(FlowRun& run, FlowPreparation const& preparation, Int3 image_shape,
                       std::optional<double> voxel_size_m, PhysicalFluid const& fluid, bool keep) {
  Units const units = units_for(run.viscosity(), voxel_size_m, fluid);
  Int3 const lower = preparation.box.sample_lower;
  auto const voxels = keep ? static_cast<std::size_t>(volume(image_shape)) : 0;
  FlowFields fields{.spacing = units.spacing,
                    .velocity = std::vector<float>(3 * voxels),
                    .pressure = std::vector<float>(voxels),
                    .density = std::vector<float>(voxels),
                    .tile = std::vector<std::int32_t>(voxels, -1),
                    .solid = std::vector<std::uint8_t>(voxels, 1)};

  run.graph().visit_nodes([&](Int3 voxel, std::int32_t tile, NodeState const& state) {
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
    auto const shift = static_cast<double>(state.density_shift);
    for (std::size_t a = 0; a < 3; ++a) {
      fields.velocity[3 * i + a] =
          static_cast<float>(units.velocity * static_cast<double>(state.velocity[a]));
    }
    fields.pressure[i] = static_cast<float>(units.pressure * D3Q19::sound_speed_squared * shift);
    fields.density[i] = static_cast<float>(units.density * (1 + shift));
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
