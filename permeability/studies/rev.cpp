// SPDX-License-Identifier: MIT
#include "permeability/studies/rev.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/errors.hpp"
#include "base/machine/seconds_since.hpp"
#include "base/settings.hpp"
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
  check_workers(flow.workers);
}

RevStudy::RevStudy(RevRequest const& request, Image const& image)
    : request_(request),
      image_(image_result(image, request.flow.image, request.flow.voxel_size_m)),
      geometry_(label_pores(image, request.flow.image.rule)) {
  std::vector<std::int64_t> edges = request.edges;
  std::ranges::sort(edges);
  for (std::int64_t const edge : edges) {
    auto const chosen = choose_sub_volumes(geometry_.shape, edge, request.samples, request.seed);
    if (static_cast<std::int64_t>(chosen.size()) < request.samples)
      log_warning("{} {}: there is only one such cube in the image", setting_name("edges"), edge);
    parts_.insert(parts_.end(), chosen.begin(), chosen.end());
  }
}

void RevStudy::run(std::atomic<bool> const& stop,
                   std::function<void(SubVolumeAnswer const&)> const& note) {
  PermeabilityRequest const& flow = request_.flow;
  Workers const workers =
      plan_workers(flow.workers, geometry_.pore_voxels(), flow.flow.precision).workers;
  auto const start = std::chrono::steady_clock::now();
  answers_ = answer_sub_volumes(geometry_, parts_, flow.axes, flow.flow, workers, stop,
                                [&](SubVolumeAnswer const& a) {
                                  note(a);
                                  if (a.answered()) return;
                                  Int3 const at = a.where.lower;
                                  log_warning("{}^3 at {},{},{} along {}: {}", a.where.edge, at.x,
                                              at.y, at.z, axis_name(a.axis), a.failure);
                                });
  seconds_ = seconds_since(start);
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
              {"seconds", seconds_},
              {"statistics", Json::array()}}},
            {"warnings", warnings_given()},
            {"software", to_json(software_result())}};
  for (RevStatistics const& s : statistics())
    json["rev"]["statistics"].push_back(to_json(s, image_.voxel_size_m));
  return json;
}

}  // namespace tessera
