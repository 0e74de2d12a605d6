// SPDX-License-Identifier: MIT
#include "permeability/report/flows_beside.hpp"

#include <chrono>

#include "base/machine/seconds_since.hpp"
#include "permeability/threshold_interval.hpp"
#include "permeability/voxel_interval.hpp"

namespace tessera {

void FlowsBeside::check(std::int64_t nodes) const {
  if (request_.refine > 0)
    check_refinement(flows_.asked(), flows_.plan(nodes).workers, nodes, request_.refine);
  if (request_.thresholds) check_thresholds(flows_.asked());
}

bool FlowsBeside::refine(Geometry const& image) {
  PermeabilityResult& result = answer_.latest();
  if (!result.converged) return true;
  auto const start = std::chrono::steady_clock::now();
  Axis const axis = answer_.reports().back().axis;
  result.voxels = voxel_interval(image, axis, result.column_lattice[index_of(axis)], flows_.asked(),
                                 request_.refine, flows_.answers_beside(stop_));
  answer_.performance().add_part("refine", seconds_since(start));
  return result.voxels.has_value();
}

bool FlowsBeside::compare_thresholds(Image const& grey) {
  PermeabilityResult& result = answer_.latest();
  if (!result.converged) return true;
  auto const start = std::chrono::steady_clock::now();
  Axis const axis = answer_.reports().back().axis;
  MiddleThreshold const middle{axis, result.column_lattice[index_of(axis)],
                               answer_.results().porosity.total};
  result.thresholds = threshold_interval(grey, request_.image.rule, *request_.thresholds, middle,
                                         flows_.asked(), flows_.answers_beside(stop_));
  answer_.performance().add_part("thresholds", seconds_since(start));
  return result.thresholds.has_value();
}

}  // namespace tessera
