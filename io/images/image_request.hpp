// SPDX-License-Identifier: MIT
// Which image somebody asks for, how its file is read, and what of it is pore.
#pragma once

#include <string>

#include "io/images/image.hpp"
#include "io/images/labels.hpp"

namespace tessera {

struct ImageRequest {
  std::string path{};  ///< empty where the voxels do not come from a file
  ReadOptions reading{};
  PoreRule rule{};
  /// `rule` as it was written, which results.json repeats; empty where nothing was said.
  std::string solid{};
  std::string threshold{};

  Image read() const { return read_image(path, reading); }
};

}  // namespace tessera
