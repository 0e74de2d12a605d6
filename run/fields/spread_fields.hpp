// SPDX-License-Identifier: MIT
// The fields of a flow of several processes: each process holds some bricks of the image, and
// writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "codelets/lattice/node_state.hpp"
#include "io/fields/field.hpp"
#include "run/fields/field_units.hpp"

namespace tessera {

class SpreadFields {
 public:
  /// All ranks: fields of an image of this shape, whose first voxel is `lower` in the box of the
  /// flow; all voxels are solid. `with_tiles`: adds a field with the tile of each voxel.
  SpreadFields(Int3 shape, Int3 lower, FieldUnits const& units, bool with_tiles);
  SpreadFields(SpreadFields const&) = delete;
  SpreadFields& operator=(SpreadFields const&) = delete;
  ~SpreadFields() = default;

  /// A callback: voxel of the box, tile among the tiles of all ranks, state.
  using Visit = std::function<void(Int3, std::int32_t, NodeState const&)>;
  /// All ranks: takes the nodes that each rank visits, which it may do as a single process
  /// (Ranks::ByItself). Buffer layers and mirror images are left out, as they are not the user's.
  void take(std::function<void(Visit const&)> const& visit_own_nodes);

  /// All ranks: writes the fields by write_spread_fields() (run/fields/brick_writing.hpp).
  void write(std::filesystem::path const& path) const;

 private:
  /// Stores a state; `voxel`: number among this rank's voxels.
  void put(std::size_t voxel, std::int32_t tile, NodeState const& state);

  Int3 shape_;
  Int3 lower_;
  FieldUnits units_;
  bool with_tiles_;
  // Fields of this rank's bricks; see StateFields.
  std::vector<float> velocity_;
  std::vector<float> pressure_;
  std::vector<float> density_;
  std::vector<std::int32_t> tile_;
  std::vector<std::uint8_t> solid_;
};

}  // namespace tessera
