// SPDX-License-Identifier: MIT
// An image of which each process of a run reads its own layers.
#pragma once

#include <filesystem>
#include <vector>

#include "io/images/image.hpp"
#include "io/images/labels.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

/// All ranks: reads the layers of this process, with the properties of the image. Files that cannot
/// be read in parts are read by rank 0, which sends the layers to the other ranks. Throws, on all
/// ranks, as read_image() does.
Image read_spread_image(std::filesystem::path const& path, ReadOptions options);

/// All ranks: label_histogram() of the whole image.
std::vector<LabelCount> label_histogram_of_all(Image const& image);
/// All ranks: require_meaning_of_true() of the whole image.
void require_meaning_of_true_in_all(Image const& image, PoreRule const& rule);
/// All ranks: label_pores() of the image, distributed over the ranks as the image is.
SpreadGeometry label_spread_pores(Image const& image, PoreRule const& rule);

}  // namespace tessera
