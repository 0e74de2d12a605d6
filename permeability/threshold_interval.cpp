// SPDX-License-Identifier: MIT
#include "permeability/threshold_interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "permeability/flows/stokes_run.hpp"
#include "run/console/log.hpp"

namespace tessera {
namespace {

constexpr std::array<double, 5> shares{0, 0.25, 0.5, 0.75, 1};
constexpr std::size_t in_the_middle = 2;

/// What is pore at a threshold, even if nothing is.
Geometry pores_at(Image const& grey, PoreRule rule, Threshold const& threshold, FlowSetup setup) {
  rule.threshold = threshold;
  Geometry geometry = label_pores(grey, rule, {.true_for_any = [](bool) { return true; }});
  if (setup == FlowSetup::periodic) geometry.periodic = {true, true, true};
  return geometry;
}

}  // namespace

void check_thresholds(PermeabilityCase const& asked) {
  if (auto const why = why_not_solved_for(asked)) {
    throw BadInput(
        fmt::format("{} with a range: the flows at its thresholds are solved for, and {}",
                    setting_name("threshold"), *why));
  }
}

std::optional<ThresholdInterval> threshold_interval(Image const& grey, PoreRule const& rule,
                                                    ThresholdRange const& range,
                                                    MiddleThreshold const& middle,
                                                    PermeabilityCase const& asked,
                                                    AnswerFlows const& answer) {
  PermeabilityCase for_k = asked;
  for_k.for_fields = false;
  std::int64_t const voxels = volume(grey.shape);
  auto const nodes = static_cast<std::int64_t>(middle.porosity * static_cast<double>(voxels));
  std::vector<WantedFlow> wanted;
  for (double const share : shares) {
    if (share == shares[in_the_middle]) continue;
    wanted.push_back(
        {.image = [&grey, &rule, setup = asked.setup,
                   threshold = range.at(share)] { return pores_at(grey, rule, threshold, setup); },
         .axis = middle.axis,
         .asked = for_k,
         .voxels = voxels,
         .nodes = nodes});
  }
  std::vector<std::optional<ImageAnswer>> found = answer(wanted);
  ImageAnswer const known{.porosity = middle.porosity, .value = middle.k};
  found.insert(found.begin() + in_the_middle, known);
  ThresholdInterval interval;
  for (std::size_t t = 0; t < shares.size(); ++t) {
    if (!found[t]) return std::nullopt;
    double const value = range.at(shares[t]).value;
    if (!found[t]->answered()) {
      throw EnvironmentError(
          fmt::format("the flow at the threshold {:g}: {}", value, found[t]->failure));
    }
    interval.thresholds.push_back(value);
    interval.porosity.push_back(found[t]->porosity);
    interval.k.push_back(found[t]->value);
    log_info("{}: threshold {:g}: porosity {:.4f}, k = {:.6g} voxels^2", axis_name(middle.axis),
             value, found[t]->porosity, found[t]->value);
  }
  interval.lower = std::ranges::min(interval.k);
  interval.upper = std::ranges::max(interval.k);
  return interval;
}

}  // namespace tessera
