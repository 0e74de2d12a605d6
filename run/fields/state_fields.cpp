// SPDX-License-Identifier: MIT
#include "run/fields/state_fields.hpp"

#include <algorithm>
#include <span>

#include "base/machine/thread_team.hpp"
#include "io/fields/field_files.hpp"

namespace tessera {

std::vector<Field> state_fields(std::span<float const> velocity, std::span<float const> pressure,
                                std::span<float const> density, std::span<std::int32_t const> tile,
                                std::span<std::uint8_t const> solid) {
  std::vector<Field> fields{
      {"velocity", 3, velocity}, {"pressure", 1, pressure}, {"density", 1, density}};
  if (!tile.empty()) fields.push_back({"tile", 1, tile});
  fields.push_back({"solid", 1, solid});
  return fields;
}

StateFields::StateFields(Int3 shape, FieldUnits const& units, bool with_tiles)
    : shape_(shape),
      units_(units),
      velocity_(3 * static_cast<std::size_t>(volume(shape))),
      pressure_(static_cast<std::size_t>(volume(shape))),
      density_(pressure_.size()),
      tile_(with_tiles ? pressure_.size() : 0),
      solid_(pressure_.size()) {
  in_parallel_ranges(volume(shape), 65536, [this](std::int64_t begin, std::int64_t end) {
    auto const fill = [&](auto& values, int components, auto value) {
      if (values.empty()) return;
      std::fill(values.begin() + components * begin, values.begin() + components * end, value);
    };
    fill(velocity_, 3, 0.0F);
    fill(pressure_, 1, 0.0F);
    fill(density_, 1, 0.0F);
    fill(tile_, 1, -1);
    fill(solid_, 1, std::uint8_t{1});
  });
}

void StateFields::put(std::size_t voxel, NodeState const& state, std::int32_t tile) {
  auto const node = node_fields(state, units_);
  std::ranges::copy(node.velocity, velocity_.begin() + static_cast<std::ptrdiff_t>(3 * voxel));
  pressure_[voxel] = node.pressure;
  density_[voxel] = node.density;
  if (!tile_.empty()) tile_[voxel] = tile;
  solid_[voxel] = 0;
}

void StateFields::write(std::filesystem::path const& path) const {
  write_fields(path, shape_, units_.spacing,
               state_fields(velocity_, pressure_, density_, tile_, solid_));
}

}  // namespace tessera
