// SPDX-License-Identifier: MIT
#include "geometry/pore_scale.hpp"

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/machine/thread_team.hpp"

namespace tessera {

PoreSurface pore_surface(Geometry const& geometry, Int3 lower, Int3 upper) {
  Int3 const shape = geometry.shape;
  std::vector<std::uint8_t> const wall(static_cast<std::size_t>(shape.x), 0);
  /// The coordinate itself, its image where the axis wraps; nothing beyond a wall.
  auto const inside = [&](std::int64_t at, Axis axis) -> std::optional<std::int64_t> {
    if (at >= 0 && at < shape[axis]) return at;
    if (!geometry.periodic[index_of(axis)]) return std::nullopt;
    return at < 0 ? shape[axis] - 1 : 0;
  };
  auto const row_at = [&](std::int64_t y, std::int64_t z) {
    auto const y_inside = inside(y, Axis::y);
    auto const z_inside = inside(z, Axis::z);
    return y_inside && z_inside
               ? geometry.pore.data() + linear_index(shape, {0, *y_inside, *z_inside})
               : wall.data();
  };
  auto const before = inside(lower.x - 1, Axis::x);
  auto const after = inside(upper.x, Axis::x);
  std::atomic<std::int64_t> pores = 0;
  std::atomic<std::int64_t> faces = 0;
  in_parallel(upper.z - lower.z, [&](std::int64_t layer) {
    std::int64_t pores_here = 0;
    std::int64_t faces_here = 0;
    std::int64_t const z = lower.z + layer;
    for (std::int64_t y = lower.y; y < upper.y; ++y) {
      std::uint8_t const* const own = row_at(y, z);
      std::uint8_t const* const beside[] = {row_at(y - 1, z), row_at(y + 1, z), row_at(y, z - 1),
                                            row_at(y, z + 1)};
      for (std::int64_t x = lower.x; x < upper.x; ++x) {
        std::int64_t const pore = own[x] != 0 ? 1 : 0;
        std::int64_t walls = 0;
        for (std::uint8_t const* const row : beside) walls += row[x] == 0 ? 1 : 0;
        pores_here += pore;
        faces_here += pore * walls;
      }
      // Along the row a face is where one voxel is pore and the next one is not.
      for (std::int64_t x = lower.x + 1; x < upper.x; ++x)
        faces_here += (own[x] == 0) != (own[x - 1] == 0) ? 1 : 0;
      bool const wall_before = !before || own[*before] == 0;
      bool const wall_after = !after || own[*after] == 0;
      faces_here += own[lower.x] != 0 && wall_before ? 1 : 0;
      faces_here += own[upper.x - 1] != 0 && wall_after ? 1 : 0;
    }
    pores += pores_here;
    faces += faces_here;
  });
  return {pores, faces};
}

double PoreSurface::hydraulic_diameter() const {
  if (faces == 0) return std::numeric_limits<double>::infinity();
  return 4.0 * static_cast<double>(pores) / static_cast<double>(faces);
}

}  // namespace tessera
