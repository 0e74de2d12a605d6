// SPDX-License-Identifier: MIT
// The lines "key = value" of a MetaImage. For io/images/meta_* alone.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "io/images/element_type.hpp"
#include "io/images/packed_bytes.hpp"

namespace tessera {

struct MetaHeader {
  Int3 shape;
  ElementType type;
  bool long_is_4_or_8 = false;  ///< MET_LONG: as wide as on the machine that wrote the file
  bool text = false;            ///< the voxels are words
  Packing packing = Packing::none;
  /// Bytes to skip in each file of voxels; -1: all but the last ones, which are the voxels.
  std::int64_t skipped = 0;
  std::array<double, 3> spacing{1, 1, 1};
  std::vector<std::filesystem::path> files;  ///< of voxels, in order
};

/// Reads a header. Throws BadInput if it is invalid, or has unsupported keys or values.
MetaHeader read_meta_header(std::filesystem::path const& path);

}  // namespace tessera
