// SPDX-License-Identifier: MIT
// What was asked for, as results.json says it: enough to do a run again.
#pragma once

#include <optional>

#include "cli/options.hpp"
#include "io/image.hpp"
#include "io/results.hpp"

namespace tessera {

/// All ranks: of this process. `started` is now: ask before the work begins.
RunResult this_run();

/// What was read, how, and what of it is pore.
ImageResult image_result(Image const& image, ImageOptions const& options,
                         std::optional<double> voxel_size_m);

}  // namespace tessera
