// SPDX-License-Identifier: MIT
#include "permeability/studies/rev.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "base/ranks/same_for_all.hpp"
#include "base/settings.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "models/lattice/model_names.hpp"
#include "run/console/log.hpp"
#include "run/performance.hpp"
#include "run/plan/worker_plan.hpp"
#include "run/provenance.hpp"

namespace tessera {

void RevRequest::check() const {
  constexpr std::int64_t most_samples = 100'000;
  if (samples < 1 || samples > most_samples) {
    throw BadInput(
        fmt::format("{} {}: expected 1 to {}", setting_name("samples"), samples, most_samples));
  }
  for (std::int64_t const edge : edges) {
    if (edge < 2)
      throw BadInput(fmt::format("{} {}: expected 2 or more", setting_name("edges"), edge));
    if (std::ranges::count(edges, edge) > 1)
      throw BadInput(fmt::format("{} {}: expected each edge once", setting_name("edges"), edge));
  }
  flow.check();
  flow.check_solvable();
  if (diffusion && flow.has_grey()) {
    throw BadInput(fmt::format("{}: expected conductivities of labels ({}), as nothing flows",
                               setting_name(flow.grey_values ? "grey-values" : "grey"),
                               setting_name("conductivity")));
  }
  PoreRule const& rule = flow.image.rule;
  if (!conductivities.empty() && (rule.pore || rule.solid || rule.threshold)) {
    throw BadInput(fmt::format("{}: expected what conducts to be said by labels alone",
                               setting_name("conductivity")));
  }
  Runtime::check_scheduler(flow.scheduler);
  check_workers(flow.workers);
}

namespace {

Geometry geometry_of(RevRequest const& request, Image const& image, PermeabilityMap map) {
  if (!request.conductivities.empty())
    return conductors(image, request.conductivities, map.rule.outside.value_or(LabelSet{}));
  Geometry geometry = label_pores(image, map.rule);
  geometry.of_grey = std::move(map.k_lattice);
  return geometry;
}

/// Whether a cube is in the sample, and no voxel of it outside.
std::function<bool(SubVolume const&)> sample_of(Image const& image, PoreRule const& rule) {
  if (!rule.outside) return [](SubVolume const&) { return true; };
  return
      [outside = voxels_outside(image, *rule.outside), shape = image.shape](SubVolume const& cube) {
        for (Int3 at = cube.lower; at.z < cube.lower.z + cube.edge; ++at.z) {
          for (at.y = cube.lower.y; at.y < cube.lower.y + cube.edge; ++at.y) {
            auto const row = outside.begin() + static_cast<std::ptrdiff_t>(linear_index(shape, at));
            if (std::find(row, row + cube.edge, std::uint8_t{1}) != row + cube.edge) return false;
          }
        }
        return true;
      };
}

}  // namespace

RevStudy::RevStudy(RevRequest const& request, Image image)
    : request_(request),
      image_(image_result(image, request.flow.image, request.flow.voxel_size_m)),
      flows_(request.flow.workers, request.flow.scheduler) {
  expect_same_for_all(image_.path, image_.sha256);
  if (!request.conductivities.empty()) image_.pore.reset();
  PermeabilityMap const map = request.flow.take_grey(image, image_);
  geometry_ = geometry_of(request, image, map);
  porosity_ = request.diffusion ? geometry_.porosity() : geometry_.open_porosity();
  conducting_ = geometry_.porosity();
  if (!image_.grey.empty()) warn_of_absent_grey(image_.grey, kinds_of(geometry_.pore));
  std::vector<std::int64_t> edges = request.edges;
  std::ranges::sort(edges);
  auto const in_sample = sample_of(image, map.rule);
  for (std::int64_t const edge : edges) {
    auto const chosen =
        choose_sub_volumes(geometry_.shape, edge, request.samples, request.seed, in_sample);
    if (chosen.empty()) {
      throw BadInput(fmt::format("{} {}: expected less: no such cube lies in the sample ({})",
                                 setting_name("edges"), edge,
                                 setting_text("outside", image_.outside.value_or(""))));
    }
    if (std::cmp_less(chosen.size(), request.samples)) {
      log_warning("{} {}: only {} found in the sample", setting_name("edges"), edge,
                  chosen.size() == 1 ? "one such cube was"
                                     : fmt::format("{} such cubes were", chosen.size()));
    }
    parts_.insert(parts_.end(), chosen.begin(), chosen.end());
  }
}

WantedFlow RevStudy::wanted(SubVolume const& where, Axis axis) const {
  std::int64_t const length = where.edge + 2 * request_.flow.flow.buffer_layers;
  std::int64_t const voxels = where.edge * where.edge * length;
  return {
      .image = [this, where] { return cut_out(geometry_, where); },
      .axis = axis,
      .asked = request_.flow.flow,
      .voxels = voxels,
      .nodes = static_cast<std::int64_t>(std::max(conducting_, 0.1) * static_cast<double>(voxels)),
      .flow = request_.diffusion ? flow_for_conductivity : flow_for_k};
}

void RevStudy::run(std::atomic<bool> const& stop,
                   std::function<void(SubVolumeAnswer const&)> const& note) {
  std::vector<SubVolumeAnswer> all;
  std::vector<WantedFlow> flows;
  for (SubVolume const& part : parts_) {
    for (Axis const axis : request_.flow.axes) {
      all.push_back({{}, part, axis});
      flows.push_back(wanted(part, axis));
    }
  }
  answers_ = flows_.fill_in<SubVolumeAnswer>(
      std::move(all), flows, stop, [&](SubVolumeAnswer const& answer) {
        note(answer);
        if (answer.answered()) return;
        Int3 const at = answer.where.lower;
        log_warning("{}^3 at {},{},{} along {}: {}", answer.where.edge, at.x, at.y, at.z,
                    axis_name(answer.axis), answer.failure);
      });
  if (answers_.size() != sub_volumes())
    log_warning("stopped after {} of {} sub-volumes", answers_.size(), sub_volumes());
}

RevUnits RevStudy::units() const {
  if (!request_.diffusion) return {.voxel_size_m = image_.voxel_size_m};
  double largest = 0;
  for (std::uint8_t const kind : geometry_.pore) {
    double const own =
        kind < 2 ? static_cast<double>(kind) : geometry_.of_grey[kind - std::size_t{2}];
    largest = std::max(largest, own);
  }
  return {.of_conductivity = true, .largest = largest};
}

bool RevStudy::complete() const {
  return answers_.size() == sub_volumes() &&
         std::ranges::all_of(answers_, &SubVolumeAnswer::answered);
}

Json RevStudy::results() const {
  PermeabilityCase const& flow = request_.flow.flow;
  bool const sealed = flow.setup == FlowSetup::sealed && !request_.diffusion;
  Json json{{"image", to_json(image_)},
            {"porosity", porosity_},
            {"rev",
             {{"edges", request_.edges},
              {"samples", request_.samples},
              {"seed", request_.seed},
              {"of", request_.diffusion ? "conductivity" : "permeability"},
              {"setup", request_.diffusion ? "open" : name_of(flow.setup)},
              {"buffer_layers", sealed ? Json(flow.buffer_layers) : Json(nullptr)},
              {"precision", name_in(precision_names, flow.precision)},
              {"tolerance", flow.tolerance},
              {"seconds", seconds()},
              {"statistics", Json::array()}}},
            {"performance", flows_.performance()},
            {"warnings", warnings_given()},
            {"software", to_json(software_result())}};
  for (RevStatistics const& s : statistics())
    json["rev"]["statistics"].push_back(to_json(s, units()));
  if (request_.diffusion) {
    json["rev"]["conductivities"] = Json::object();
    for (LabelConductivity const& own : request_.conductivities)
      json["rev"]["conductivities"][own.labels.text()] = own.value;
  }
  return json;
}

}  // namespace tessera
