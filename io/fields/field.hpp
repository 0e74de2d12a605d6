// SPDX-License-Identifier: MIT
// Fields on the voxels of a box, as they are written to files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

namespace tessera {

/// One value, or a few, for each voxel; x fastest, then y, then z, components interleaved.
struct Field {
  std::string name;
  int components = 1;
  std::variant<std::span<float const>, std::span<std::uint8_t const>, std::span<std::int32_t const>>
      values;  ///< volume(shape) * components of them
};

}  // namespace tessera
