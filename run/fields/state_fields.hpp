// SPDX-License-Identifier: MIT
// The state of a flow on all voxels of a box, as ParaView reads it: velocity, pressure, density,
// solid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "base/machine/uninitialised.hpp"
#include "io/fields/field.hpp"
#include "run/fields/field_units.hpp"

namespace tessera {

/// The fields with their names in files; `tile` may be empty.
std::vector<Field> state_fields(std::span<float const> velocity, std::span<float const> pressure,
                                std::span<float const> density, std::span<std::int32_t const> tile,
                                std::span<std::uint8_t const> solid);

class StateFields {
 public:
  /// All voxels are solid at first. `with_tiles`: adds a field with the tile of each voxel.
  StateFields(Int3 shape, FieldUnits const& units, bool with_tiles);

  /// Stores the state of a pore voxel, in lattice units. Any thread may call it for different
  /// voxels.
  void put(std::size_t voxel, NodeState const& state, std::int32_t tile = -1);
  /// Writes the fields in the format of the name's ending (io/fields/field_files.hpp). Throws
  /// EnvironmentError; the file appears complete or not at all.
  void write(std::filesystem::path const& path) const;

  /// Values x fastest, then y, then z; the three components of a voxel are adjacent.
  std::span<float const> velocity() const { return velocity_; }
  std::span<float const> pressure() const { return pressure_; }
  std::span<float const> density() const { return density_; }

 private:
  Int3 shape_;
  FieldUnits units_;
  Uninitialised<float> velocity_;  ///< m/s, three components
  Uninitialised<float> pressure_;  ///< Pa, without the mean gradient that drives the flow
  Uninitialised<float> density_;   ///< kg/m^3
  Uninitialised<std::int32_t> tile_;
  Uninitialised<std::uint8_t> solid_;
};

}  // namespace tessera
