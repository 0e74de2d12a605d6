// SPDX-License-Identifier: MIT
// The state of a flow on all voxels of a box, as ParaView reads it: velocity, pressure, density,
// and where there is solid.
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

/// As they are named in files; `tile` may be empty.
std::vector<Field> state_fields(std::span<float const> velocity, std::span<float const> pressure,
                                std::span<float const> density, std::span<std::int32_t const> tile,
                                std::span<std::uint8_t const> solid);

class StateFields {
 public:
  /// All solid. `with_tiles`: says of each voxel in which tile it is, too.
  StateFields(Int3 shape, FieldUnits const& units, bool with_tiles);

  /// The state of a pore voxel, in lattice units; of different voxels by any threads.
  void put(std::size_t voxel, NodeState const& state, std::int32_t tile = -1);
  /// In the format of the name (io/fields/field_files.hpp). Throws EnvironmentError; the file is
  /// complete or not there.
  void write(std::filesystem::path const& path) const;

  /// x fastest, then y, then z; three components of a voxel side by side.
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
