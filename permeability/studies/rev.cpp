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
  }
  flow.check();
  flow.check_solvable();
  Runtime::check_scheduler(flow.scheduler);
  check_workers(flow.workers);
}

RevStudy::RevStudy(RevRequest const& request, Image const& image)
    : request_(request),
      image_(image_result(image, request.flow.image, request.flow.voxel_size_m)),
      geometry_(label_pores(image, request.flow.image.rule)),
      flows_(request.flow.workers, request.flow.scheduler) {
  expect_same_for_all(image_.path, image_.sha256);
  std::vector<std::int64_t> edges = request.edges;
  std::ranges::sort(edges);
  for (std::int64_t const edge : edges) {
    auto const chosen = choose_sub_volumes(geometry_.shape, edge, request.samples, request.seed);
    if (static_cast<std::int64_t>(chosen.size()) < request.samples)
      log_warning("{} {}: there is only one such cube in the image", setting_name("edges"), edge);
    parts_.insert(parts_.end(), chosen.begin(), chosen.end());
  }
}

WantedFlow RevStudy::wanted(SubVolume const& where, Axis axis) const {
  std::int64_t const length = where.edge + 2 * request_.flow.flow.buffer_layers;
  std::int64_t const voxels = where.edge * where.edge * length;
  double const porosity = std::max(geometry_.porosity(), 0.1);
  return {.image = [this, where] { return cut_out(geometry_, where); },
          .axis = axis,
          .asked = request_.flow.flow,
          .voxels = voxels,
          .nodes = static_cast<std::int64_t>(porosity * static_cast<double>(voxels))};
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

bool RevStudy::complete() const {
  return answers_.size() == sub_volumes() &&
         std::ranges::all_of(answers_, &SubVolumeAnswer::answered);
}

Json RevStudy::results() const {
  PermeabilityCase const& flow = request_.flow.flow;
  bool const sealed = flow.setup == FlowSetup::sealed;
  Json json{{"image", to_json(image_)},
            {"porosity", geometry_.porosity()},
            {"rev",
             {{"edges", request_.edges},
              {"samples", request_.samples},
              {"seed", request_.seed},
              {"setup", name_of(flow.setup)},
              {"buffer_layers", sealed ? Json(flow.buffer_layers) : Json(nullptr)},
              {"precision", name_in(precision_names, flow.precision)},
              {"tolerance", flow.tolerance},
              {"seconds", seconds()},
              {"statistics", Json::array()}}},
            {"performance", flows_.performance()},
            {"warnings", warnings_given()},
            {"software", to_json(software_result())}};
  for (RevStatistics const& s : statistics())
    json["rev"]["statistics"].push_back(to_json(s, image_.voxel_size_m));
  return json;
}

}  // namespace tessera
