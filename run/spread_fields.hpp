// SPDX-License-Identifier: MIT
// The fields of a flow of several processes: each holds some layers, and who writes them is shown
// a few layers at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "codelets/node_state.hpp"
#include "io/field_layers.hpp"
#include "run/field_units.hpp"

namespace tessera {

class SpreadFields {
 public:
  /// All ranks: of an image of this shape, whose first voxel is `lower` in the box of the flow.
  SpreadFields(Int3 shape, Int3 lower, FieldUnits const& units);
  SpreadFields(SpreadFields const&) = delete;
  SpreadFields& operator=(SpreadFields const&) = delete;
  ~SpreadFields() = default;

  /// visit(voxel of the box, tile among those of all ranks, state)
  using Visit = std::function<void(Int3, std::int32_t, NodeState const&)>;
  /// All ranks: takes what each visits in here, though it may do so as if it were alone
  /// (Ranks::ByItself). Buffer layers and mirror images are not the user's and left out.
  void take(std::function<void(Visit const&)> const& visit_own_nodes);

  /// All ranks: the first one has use(fields) called, and the others hand it their layers until it
  /// returns, or throws.
  void show(std::function<void(std::span<FieldLayers const>)> const& use) const;

 private:
  using Range = std::pair<std::int64_t, std::int64_t>;

  /// Layers of the image.
  Range layers_of(int rank) const;
  std::vector<FieldLayers> of_all_ranks() const;
  /// Puts values of some layers together, those of others from who has them.
  void gather(std::size_t field, Range layers, std::span<std::byte> to) const;
  std::span<std::byte const> own(std::size_t field, Range layers) const;
  std::size_t layer_bytes(std::size_t field) const;

  void put(std::size_t voxel, std::int32_t tile, NodeState const& state);

  int ranks_;
  Int3 shape_;
  Int3 lower_;
  FieldUnits units_;
  // Of the layers of this rank; see StateFields.
  std::vector<float> velocity_;
  std::vector<float> pressure_;
  std::vector<float> density_;
  std::vector<std::int32_t> tile_;
  std::vector<std::uint8_t> solid_;
  std::vector<Field> fields_;  ///< of these
};

}  // namespace tessera
