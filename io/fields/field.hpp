// SPDX-License-Identifier: MIT
// Fields on the voxels of a box, as they are written to files.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

namespace tessera {

/// The edges of a voxel along x, y and z in metres; of a cube one number.
struct Spacing {
  std::array<double, 3> edges;

  Spacing(double edge) : edges{edge, edge, edge} {}  // NOLINT: a number says as much
  explicit Spacing(std::array<double, 3> const& of_axes) : edges(of_axes) {}
  bool is_cube() const { return edges[0] == edges[1] && edges[0] == edges[2]; }
};

/// One value, or a few, for each voxel; x fastest, then y, then z, components interleaved.
struct Field {
  std::string name;
  int components = 1;
  std::variant<std::span<float const>, std::span<std::uint8_t const>, std::span<std::int32_t const>>
      values;  ///< volume(shape) * components of them
};

}  // namespace tessera
