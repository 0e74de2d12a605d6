// SPDX-License-Identifier: MIT
// What else than the solver's error a permeability leaves open: k of flows through other images,
// beside the one of an axis.
#pragma once

#include <atomic>
#include <cstdint>

#include "geometry/geometry.hpp"
#include "io/images/image.hpp"
#include "permeability/flows/image_flows.hpp"
#include "permeability/permeability_request.hpp"
#include "permeability/report/answer.hpp"

namespace tessera {

class FlowsBeside {
 public:
  /// The request, its flows and its answer must outlive it. Once `stop` is set, what is asked for
  /// stays open.
  FlowsBeside(PermeabilityRequest const& request, ImageFlows& flows, PermeabilityAnswer& answer,
              std::atomic<bool> const& stop)
      : request_(request), flows_(flows), answer_(answer), stop_(stop) {}

  /// Throws BadInput where what the request asks for cannot be had of an image with so many nodes.
  void check(std::int64_t nodes) const;

  // Both add to the axis answered last, if it has a permeability, and return whether they have
  // ended, or had nothing to do.
  /// What the voxels leave open (permeability/voxel_interval.hpp).
  bool refine(Geometry const& image);
  /// What the segmentation leaves open (permeability/threshold_interval.hpp).
  bool compare_thresholds(Image const& grey);

 private:
  PermeabilityRequest const& request_;
  ImageFlows& flows_;
  PermeabilityAnswer& answer_;
  std::atomic<bool> const& stop_;
};

}  // namespace tessera
