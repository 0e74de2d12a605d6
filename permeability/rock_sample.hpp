// SPDX-License-Identifier: MIT
// The image whose permeability is asked for: read, labelled, and known to let something through.
#pragma once

#include <vector>

#include "io/images/image.hpp"
#include "io/results/results.hpp"
#include "permeability/permeability_request.hpp"
#include "permeability/sample_pores.hpp"

namespace tessera {

struct RockSample {
  SamplePores pores;
  ImageResult image;
  PorosityResult porosity;
};

/// All ranks: an image that has been read, otherwise as read_sample().
RockSample label_sample(Image image, PermeabilityRequest const& request);

/// All ranks: refuses what cannot be computed, of all axes, before the first of them takes its
/// time. Throws BadInput. Says in the log what it reads.
RockSample read_sample(PermeabilityRequest const& request);

}  // namespace tessera
