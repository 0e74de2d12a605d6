// SPDX-License-Identifier: MIT
// An image of which each process of a run reads its own layers.
#pragma once

#include <filesystem>
#include <vector>

#include "io/images/image.hpp"
#include "io/images/labels.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

/// All: the layers of this process, with all that is known of the image. Files that cannot be read
/// in parts are read by the first one, which hands the layers out. Throws, on all, as read_image()
/// does.
Image read_spread_image(std::filesystem::path const& path, ReadOptions options);

/// All: label_histogram() of the whole.
std::vector<LabelCount> label_histogram_of_all(Image const& image);
/// All: require_meaning_of_true() of the whole.
void require_meaning_of_true_in_all(Image const& image, PoreRule const& rule);
/// All: label_pores() of it.
SpreadGeometry label_spread_pores(Image const& image, PoreRule const& rule);

}  // namespace tessera
