// SPDX-License-Identifier: MIT
// What was asked for, as results.json says it: enough to do a run again.
#pragma once

#include <optional>

#include "app/permeability_options.hpp"
#include "io/image.hpp"
#include "io/results.hpp"

namespace tessera {

/// Of this process. `started` is now: ask before the work begins.
RunResult this_run();

/// What was read, how, and what of it is pore.
ImageResult image_result(Image const& image, ImageOptions const& options,
                         std::optional<double> voxel_size_m);

/// What flows, and when it ends. The relaxation time and the force: those of the first axis.
FlowResult flow_result(PermeabilityOptions const& options, FlowCase const& flow_case,
                       double relaxation_time, double body_force);

}  // namespace tessera
