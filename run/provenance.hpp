// SPDX-License-Identifier: MIT
// What was asked for, as results.json says it: enough to do a run again.
#pragma once

#include <optional>
#include <string>

#include "io/images/image_request.hpp"
#include "io/results/results.hpp"

namespace tessera {

/// All ranks: of this process. `started` is now: ask before the work begins.
RunResult this_run();

/// In words, if the file says so of its voxels.
std::optional<std::string> voxels_are_no_cubes(Image const& image);

/// What was read, how, and what of it is pore. The edge of a voxel is `voxel_size_m`, else what the
/// file says; a warning tells where the two differ. Where the file says that voxels are no cubes,
/// and nobody another edge: throws BadInput, or says no edge for those that take other voxels.
ImageResult image_result(Image const& image, ImageRequest const& request,
                         std::optional<double> voxel_size_m, bool cubes_only = true);

/// " of 2.25 um", and who says so if it is the file; empty if nobody does.
std::string voxel_size_text(ImageResult const& image);

}  // namespace tessera
