// SPDX-License-Identifier: MIT
#include "case/lattice/case_in_situ.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/errors.hpp"
#include "case/in_situ_asked.hpp"
#include "case/lattice/case_figures.hpp"

namespace tessera {
namespace {

/// Whether the flow goes along the condition of this number rather than through it.
bool is_wall(Case const& c, std::size_t number) {
  // The boundaries of the case come first, after the plain wall; others are plain, too.
  if (number == 0 || number > c.boundaries.size()) return true;
  return traits_of(c.boundaries[number - 1].type).wall;
}

}  // namespace

InSituOptions in_situ_options(Case const& c) {
  InSituOptions options = in_situ_asked(c);
  for (Script const& script : options.scripts) {
    if (script.name != "permeability-plot" || !script.file.empty()) continue;
    throw BadInput(fmt::format(
        "{} permeability-plot: a case has no permeability: expected slice, streamlines, "
        "velocity-volume, tiles or a script",
        options.asked_by));
  }
  return options;
}

VoxelScene scene_of(Case const& c, CaseSetup const& setup) {
  VoxelScene scene{.shape = c.geometry.shape,
                   .lower = {},
                   .units = field_units(c.fluid.viscosity, c.units),
                   .walls = {c.geometry.periodic, {}},
                   .wall_factors = {}};
  scene.walls.at = [&c, boundaries = setup.box.boundaries, speed = scene.units.velocity](
                       Int3 voxel, Int3 along) -> std::optional<WallFace> {
    std::size_t const number = boundaries->condition_at(voxel, along);
    if (!is_wall(c, number)) return std::nullopt;
    WallFace face{.velocity = {}, .factor = number};
    if (auto const& velocity = boundaries->conditions[number].velocity)
      face.velocity = velocity(voxel);
    for (double& u : face.velocity) u *= speed;
    return face;
  };
  if (setup.values_at) {
    // The state is that of the step that led to it.
    scene.wall_factors = [values_at = setup.values_at](std::int64_t step) {
      auto const factors = values_at(step - 1).factor;
      return std::vector<double>(factors.begin(), factors.end());
    };
  }
  return scene;
}

}  // namespace tessera
