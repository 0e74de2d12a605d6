// SPDX-License-Identifier: MIT
// The crops of the Berea image as geometries.
#pragma once

#include <filesystem>

#include "io/images/image.hpp"
#include "io/images/labels.hpp"
#include "tests/data.hpp"

namespace tessera::test {

/// A cubic uint8 image, 0 = pore.
inline Geometry cubic_image(std::filesystem::path const& path, std::int64_t edge) {
  ReadOptions options;
  options.shape = Int3{edge, edge, edge};
  return label_pores(read_image(path, options), PoreRule{});
}

}  // namespace tessera::test
