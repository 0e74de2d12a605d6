// SPDX-License-Identifier: MIT
#include "permeability/permeability_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/errors.hpp"
#include "base/machine/seconds_since.hpp"
#include "base/settings.hpp"
#include "models/lattice/model_names.hpp"
#include "models/lattice/units.hpp"
#include "run/checkpoint/flow_identity.hpp"
#include "run/spread/blocks.hpp"
#include "run/spread/components.hpp"
#include "run/spread/flow_box.hpp"
#include "run/spread/pore_scale.hpp"

namespace tessera {
namespace {

/// The viscosity that converges fastest. Two things must settle: the velocity in a pore of
/// hydraulic diameter d, in d^2/(4 pi^2 nu), and the pressure over the length L, which diffuses
/// with k/(3 nu phi), k/phi being near d^2/100. The two times agree at nu = d^2/(17 L). TRT's
/// permeability does not depend on it.
double choose_relaxation_time(double diameter, std::int64_t length, LatticeKind lattice) {
  if (!std::isfinite(diameter)) return 1.0;
  return std::clamp(
      relaxation_time(diameter * diameter / (17.0 * static_cast<double>(length)), lattice), 0.53,
      1.5);
}

/// A force that drives the flow at a Reynolds number of about 0.01, if k is near phi d^2/100.
double choose_body_force(double diameter, double nu) {
  constexpr double reynolds = 0.01;
  double const d = std::isfinite(diameter) ? diameter : 10.0;
  return reynolds * nu * nu * 100.0 / (d * d * d);
}

/// All ranks: the hydraulic diameter of a box. Where nothing is solid the faces of grey voxels are
/// its walls; grey voxels alone have pores that are smaller than a voxel.
double pore_diameter(PreparedBox const& box) {
  double const usual = hydraulic_diameter(box.geometry, box.sample_lower, box.sample_upper);
  if (std::isfinite(usual)) return usual;
  SpreadGeometry open = box.geometry;
  for (std::uint8_t& kind : open.own.pore) kind = kind == 1 ? 1 : 0;
  double const between_grey = hydraulic_diameter(open, box.sample_lower, box.sample_upper);
  return std::isfinite(between_grey) && between_grey > 1 ? between_grey : 1;
}

using Clock = std::chrono::steady_clock;

/// All ranks, each with its layers.
PreparedBox prepared(FlowBoxShape const& box, SpreadGeometry pores,
                     SpreadComponents const& components, PermeabilityCase const& asked,
                     Clock::time_point start) {
  PreparedBox p{.axis = box.axis,
                .geometry = std::move(pores),
                .sample_lower = box.sample_lower,
                .sample_upper = box.sample_upper,
                .sample_share = box.sample_share};
  p.nodes = components.percolating_voxels(p.axis);
  if (p.nodes == 0) {
    throw BadInput(fmt::format(
        "no pore leads through the image along {}: expected a connected path of pore voxels "
        "(through faces or edges) from one side to the other",
        axis_name(p.axis)));
  }
  p.isolated_voxels = pore_voxels(p.geometry) - p.nodes;
  components.close_isolated(p.geometry, p.axis);
  p.hydraulic_diameter = pore_diameter(p);
  choose_physics(p, asked);
  p.seconds = seconds_since(start);
  return p;
}

}  // namespace

double PreparedBox::reynolds(double superficial, double sample_nodes) const {
  return std::abs(mean_pore_speed(superficial, sample_nodes)) * hydraulic_diameter / viscosity;
}

PreparedBox prepare_box(Geometry const& image, Axis axis, PermeabilityCase const& asked) {
  auto const start = Clock::now();
  FlowBoxShape const box = flow_box_shape(image.shape, axis, asked.setup, asked.buffer_layers);
  SpreadGeometry pores = spread_geometry(pores_in_box(image, box));
  SpreadComponents const components(pores, links_of(asked.model.lattice));
  return prepared(box, std::move(pores), components, asked, start);
}

PreparedBox prepare_box(SamplePores const& sample, Axis axis, PermeabilityCase const& asked) {
  auto const start = Clock::now();
  FlowBoxShape const box =
      flow_box_shape(sample.geometry.shape, axis, asked.setup, asked.buffer_layers);
  SpreadGeometry pores = pores_in_box(sample.geometry, box);
  std::optional<SpreadComponents> own;
  if (!sample.components) own.emplace(pores, links_of(asked.model.lattice));
  return prepared(box, std::move(pores), own ? *own : *sample.components, asked, start);
}

void choose_physics(PreparedBox& box, PermeabilityCase const& asked) {
  LatticeKind const lattice = asked.model.lattice;
  box.relaxation_time = asked.relaxation_time.value_or(
      choose_relaxation_time(box.hydraulic_diameter, box.geometry.shape[box.axis], lattice));
  box.viscosity = viscosity(box.relaxation_time, lattice);
  box.body_force =
      asked.body_force.value_or(choose_body_force(box.hydraulic_diameter, box.viscosity));
}

std::function<BlockGrid()> PreparedFlow::grid(LatticeKind lattice) const {
  return [this, lattice] { return block_grid(geometry, lattice); };
}

PreparedFlow prepare_flow(Geometry const& image, Axis axis, PermeabilityCase const& asked,
                          Workers const& workers) {
  return prepare_flow(prepare_box(image, axis, asked), asked, workers);
}

PreparedFlow prepare_flow(PreparedBox box, PermeabilityCase const& asked, Workers const& workers) {
  auto const start = Clock::now();
  PreparedFlow p;
  static_cast<PreparedBox&>(p) = std::move(box);
  p.workers = workers;
  static_cast<FlowTiles&>(p) =
      plan_tiles(p.grid(asked.model.lattice)(), p.geometry.periodic, workers, asked);
  p.seconds += seconds_since(start);
  return p;
}

FlowIdentity identity_of(PreparedBox const& flow, PermeabilityCase const& asked) {
  Int3 const& shape = flow.geometry.shape;
  FlowModel const& model = asked.model;
  FlowIdentity identity{
      .command = "permeability",
      .precision = asked.precision,
      .flow = {{"axis", std::string(1, name_of(flow.axis))},
               {"set-up", name_of(asked.setup)},
               {"shape", {shape.x, shape.y, shape.z}},
               {"lattice", name_in(lattice_names, model.lattice)},
               {"precision", name_in(precision_names, asked.precision)}},
      .parameters = {{"relaxation time", flow.relaxation_time},
                     {"body force", flow.body_force},
                     {"collision", name_in(collision_names, model.collision)},
                     {"equilibrium", name_in(equilibrium_names, model.equilibrium)}}};
  if (asked.setup == FlowSetup::sealed) identity.flow["buffer layers"] = asked.buffer_layers;
  // No voxel of the flow tells, but its k is that of the sample.
  if (flow.geometry.outside > 0) identity.flow["voxels outside"] = flow.geometry.outside;
  std::vector<double> const& of_grey = flow.geometry.own.of_grey;
  if (!of_grey.empty()) identity.flow["grey"] = of_grey;
  if (traits_of(model.collision).unset == UnsetRates::magic)
    identity.parameters["magic"] = asked.magic;
  return identity;
}

VoxelScene scene_of(PreparedBox const& flow, FlowSetup setup, Int3 image_shape,
                    FieldUnits const& units) {
  bool const wraps = setup == FlowSetup::periodic;
  // Along the flow there is more fluid beyond the image; the other sides are sealed.
  auto const wall = [axis = flow.axis, n = image_shape[flow.axis]](
                        Int3 voxel, Int3 c) -> std::optional<WallFace> {
    std::int64_t const next = voxel[axis] + c[axis];
    if (next < 0 || next >= n) return std::nullopt;
    return WallFace{};
  };
  auto const everywhere = [](Int3, Int3) { return std::optional(WallFace{}); };
  VoxelScene scene{.shape = image_shape,
                   .lower = flow.sample_lower,
                   .units = units,
                   .walls = {{wraps, wraps, wraps}, wall},
                   .wall_factors = {}};
  if (wraps) scene.walls.at = everywhere;
  return scene;
}

}  // namespace tessera
