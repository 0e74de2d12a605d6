// SPDX-License-Identifier: MIT
#include "permeability/rock_sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "base/settings.hpp"
#include "graph/runtime/main_memory.hpp"
#include "models/lattice/model_names.hpp"
#include "models/lattice/plane_lattice.hpp"
#include "run/console/log.hpp"
#include "run/provenance.hpp"
#include "run/spread/components.hpp"
#include "run/spread/image.hpp"

namespace tessera {
namespace {

/// Layers of fluid are all nodes: what cannot be held is refused before it is tried.
void require_room_for_buffers(PermeabilityCase const& asked, Int3 shape, Axis axis) {
  if (asked.setup != FlowSetup::sealed) return;
  std::int64_t const layer = volume(shape) / shape[axis];
  std::int64_t const node_bytes = velocities_of(asked.model.lattice).size *
                                  static_cast<std::int64_t>(bytes_of(asked.precision));
  auto const there = static_cast<std::int64_t>(
      std::min<std::size_t>(main_memory_available(), std::numeric_limits<std::int64_t>::max()));
  std::int64_t const most = there / (2 * layer * node_bytes);
  if (asked.buffer_layers <= std::max(most, default_buffer_layers)) return;
  throw BadInput(fmt::format(
      "{} {}: expected 0 to {}, as {} nodes of a layer at each end take {:.2g} GB, and {:.2g} GB "
      "of "
      "main memory are left",
      setting_name("buffer-layers"), asked.buffer_layers, most, layer,
      static_cast<double>(2 * layer * node_bytes) * 1e-9, static_cast<double>(there) * 1e-9));
}

/// Velocity sets of the plane go with images of one layer, and not across it.
void require_plane(PermeabilityRequest const& request, Int3 shape) {
  LatticeKind const lattice = request.flow.model.lattice;
  std::vector<Axis> const& axes = request.axes;
  std::string const said = setting_text("lattice", name_in(lattice_names, lattice));
  if (auto const misfit = misfit_of_plane_lattice(
          lattice, shape,
          fmt::format("an image of one layer along z (see {})", setting_name("crop")),
          setting_name("lattice") + " ")) {
    throw BadInput(said + *misfit);
  }
  if (velocities_of(lattice).dimensions == 2 && std::ranges::find(axes, Axis::z) != axes.end()) {
    throw BadInput(fmt::format("{}: {} is for plane flows: expected x or y",
                               setting_text("axis", text_of(axes)), said));
  }
}

/// What is one voxel thick: a picture along z; along x and y a slit, which few mean.
void note_thickness(PermeabilityRequest const& request, Int3 shape) {
  if (shape.z == 1 && request.refine != 0) {
    throw BadInput(
        fmt::format("{} {}: expected a volume, not a picture of one layer, whose flow is plane",
                    setting_name("refine"), request.refine));
  }
  if (request.flow.setup == FlowSetup::periodic) return;
  if (shape.z == 1)
    log_info("a picture of one layer: nothing is in front and behind, the flow is plane");
  for (Axis const thin : {Axis::x, Axis::y}) {
    bool const is_slit = shape[thin] == 1 && std::ranges::any_of(request.axes, [&](Axis along) {
                           return along != thin && shape[along] > 1;
                         });
    if (!is_slit) continue;
    log_warning(
        "the image is one voxel thick along {} and sealed on both sides of it: for a plane flow "
        "its one layer has to be along {} (see {})",
        axis_name(thin), axis_name(Axis::z), setting_name("axes"));
  }
}

/// All ranks: how many voxels are grey. Warns of kinds that none is of.
std::int64_t grey_voxels(SpreadGeometry const& geometry, std::vector<GreyResult> const& grey) {
  auto kinds = kinds_of(geometry.own.pore);
  if (!geometry.everywhere) Ranks::sum(kinds);
  warn_of_absent_grey(grey, kinds);
  return std::accumulate(kinds.begin() + 2, kinds.end(), std::int64_t{0});
}

}  // namespace

RockSample read_sample(PermeabilityRequest const& request) {
  return label_sample(read_spread_image(request.image.path, request.image.reading), request);
}

RockSample label_sample(Image image, PermeabilityRequest const& request) {
  PermeabilityCase const& asked = request.flow;
  std::string const path = image.path.string();
  if (is_logged(Severity::info))
    log_info("{}: {}\n{}", path, image.format, image.layers ? "" : histogram_text(image));
  RockSample sample;
  sample.image = image_result(image, request.image, request.voxel_size_m);
  require_plane(request, image.shape);
  note_thickness(request, image.shape);
  PermeabilityMap map = request.take_grey(image, sample.image);
  sample.pores.geometry = label_spread_pores(image, map.rule);
  Int3 const shape = image.shape;
  if (request.thresholds) {
    Ranks::expect_alone(setting_text("threshold", request.image.threshold));
    sample.pores.image = std::make_shared<Image const>(std::move(image));
  }
  image = {};  // what follows takes memory of its own
  if (asked.slip) Ranks::expect_alone(setting_name("slip"));
  if (request.gas && !sample.image.voxel_size_m) {
    throw BadInput(
        fmt::format("{}: expected the edge of a voxel, too ({}), as the image does not "
                    "say it; or {} for slip lengths in voxels",
                    setting_name("gas"), setting_name("voxel-size"), setting_name("slip")));
  }
  SpreadGeometry& geometry = sample.pores.geometry;
  std::int64_t const pores = pore_voxels(geometry);
  geometry.own.of_grey = std::move(map.k_lattice);
  std::int64_t const grey = request.has_grey() ? grey_voxels(geometry, sample.image.grey) : 0;
  auto const share = [&](std::int64_t voxels) {
    return static_cast<double>(voxels) / static_cast<double>(geometry.sample_voxels());
  };
  sample.porosity.total = share(pores - grey);
  if (request.has_grey()) sample.porosity.grey = share(grey);
  if (request.image.rule.outside) {
    sample.porosity.outside =
        static_cast<double>(geometry.outside) / static_cast<double>(volume(shape));
  }
  bool const all_pore = pores == volume(shape) && grey == 0;
  if (asked.setup == FlowSetup::periodic) {
    geometry.set_periodic({true, true, true});
    if (all_pore) {
      throw BadInput(fmt::format(
          "{} has no solid voxel: expected one at least, as nothing slows a periodic flow down",
          path));
    }
  }
  if (all_pore) log_warning("every voxel of {} is pore: the flow meets no solid", path);
  SpreadComponents components(geometry, links_of(asked.model.lattice));
  for (Axis axis : all_axes) {
    sample.porosity.percolating[index_of(axis)] = components.percolating_porosity(axis);
  }
  for (Axis axis : request.axes) {
    require_room_for_buffers(asked, shape, axis);
    if (components.percolating_voxels(axis) > 0) continue;
    throw BadInput(fmt::format(
        "no pore leads through {} along {}: expected a connected path of pore voxels (through "
        "faces or edges) from one side to the other",
        path, axis_name(axis)));
  }
  if (asked.setup == FlowSetup::periodic) sample.pores.components = std::move(components);
  return sample;
}

}  // namespace tessera
