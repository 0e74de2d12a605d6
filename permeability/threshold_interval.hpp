// SPDX-License-Identifier: MIT
// What the segmentation of a grey image leaves open of its permeability, beside what the solver and
// the voxels do.
#pragma once

#include <cstdint>
#include <optional>

#include "io/images/image.hpp"
#include "io/images/labels.hpp"
#include "io/results/results.hpp"
#include "permeability/flows/many_flows.hpp"
#include "permeability/permeability_case.hpp"

namespace tessera {

/// Throws BadInput if flows at other thresholds cannot be solved for.
void check_thresholds(PermeabilityCase const& asked);

/// The flow at the middle of a range of thresholds, which has been computed.
struct MiddleThreshold {
  Axis axis = Axis::x;
  double k = 0;  ///< voxels squared
  double porosity = 0;
};

/// k along the axis at five thresholds of the range, evenly apart, as `rule` has the one in the
/// middle; the lowest and the highest k among them. `answer` answers the flows at the four that are
/// not the middle; nothing if it was stopped.
std::optional<ThresholdInterval> threshold_interval(Image const& grey, PoreRule const& rule,
                                                    ThresholdRange const& range,
                                                    MiddleThreshold const& middle,
                                                    PermeabilityCase const& asked,
                                                    AnswerFlows const& answer);

}  // namespace tessera
