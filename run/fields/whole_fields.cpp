// SPDX-License-Identifier: MIT
#include "run/fields/whole_fields.hpp"

#include <algorithm>
#include <variant>

#include "base/ranks/gathering.hpp"
#include "base/ranks/ranks.hpp"
#include "run/fields/even_parts.hpp"

namespace tessera {
namespace {

using Bytes = std::span<std::byte const>;

/// Puts a brick where it belongs among all voxels, of so many bytes each.
void put(Bytes brick, Int3 lower, Int3 extents, Int3 shape, std::size_t voxel_bytes,
         std::span<std::byte> all) {
  std::size_t const run = static_cast<std::size_t>(extents.x) * voxel_bytes;
  for (std::int64_t z = 0; z < extents.z; ++z) {
    for (std::int64_t y = 0; y < extents.y; ++y) {
      std::size_t const to = linear_index(shape, {lower.x, lower.y + y, lower.z + z});
      std::ranges::copy(brick.first(run),
                        all.begin() + static_cast<std::ptrdiff_t>(to * voxel_bytes));
      brick = brick.subspan(run);
    }
  }
}

}  // namespace

LayerRange own_bricks(Bricks const& bricks) {
  return even_part(Ranks::rank(), Ranks::count(), bricks.count());
}

std::size_t own_voxels(Bricks const& bricks) {
  LayerRange const own = own_bricks(bricks);
  return static_cast<std::size_t>(bricks.voxels_before(own.upper) -
                                  bricks.voxels_before(own.lower));
}

WholeFields::WholeFields(Int3 shape, std::span<Field const> own)
    : shape_(shape), bricks_(shape), fields_(own.begin(), own.end()), values_(own.size()) {}

void WholeFields::gather(std::size_t field) {
  Field& found = fields_[field];
  LayerRange const own = own_bricks(bricks_);
  std::size_t const voxel_bytes =
      static_cast<std::size_t>(found.components) *
      std::visit([]<class T>(std::span<T const>) { return sizeof(T); }, found.values);
  std::vector<std::byte>& all = values_[field];
  std::int64_t brick = 0;
  Gathering gathering(static_cast<std::size_t>(own.count()), [&](Bytes bytes) {
    all.resize(static_cast<std::size_t>(volume(shape_)) * voxel_bytes);
    put(bytes, bricks_.lower(brick), bricks_.extents(brick), shape_, voxel_bytes, all);
    ++brick;
  });
  Bytes left = std::visit([](auto values) { return std::as_bytes(values); }, found.values);
  for (std::int64_t b = own.lower; b < own.upper; ++b) {
    std::size_t const bytes = static_cast<std::size_t>(volume(bricks_.extents(b))) * voxel_bytes;
    gathering.add(left.first(bytes));
    left = left.subspan(bytes);
  }
  gathering.finish();
  if (!Ranks::is_root()) return;
  std::visit(
      [&]<class T>(std::span<T const>& values) {
        values = {reinterpret_cast<T const*>(all.data()), all.size() / sizeof(T)};
      },
      found.values);
}

}  // namespace tessera
