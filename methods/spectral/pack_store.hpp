// SPDX-License-Identifier: MIT
// States of packs outside their tiles, by their numbers in the mesh: for new cuts and checkpoints.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "codelets/spectral/numbers.hpp"
#include "graph/tile_method.hpp"
#include "partition/spectral/tiles.hpp"

namespace tessera::spectral {

class PackStore final : public UnitStore {
 public:
  /// Allocates memory for the wanted packs. Their states are laid out as in packs.hpp, in
  /// `numbers`.
  PackStore(MeshOfGas const& of, Numbers numbers, std::vector<bool> const& wanted) {
    first_.push_back(0);
    for (std::size_t p = 0; p < of.packs.packs.size(); ++p) {
      PackShape const shape{of.mesh.dimension, of.packs.packs[p].degree};
      first_.push_back(first_.back() + (wanted[p] ? static_cast<std::size_t>(shape.state_size()) *
                                                        spectral::bytes_of(numbers)
                                                  : 0));
    }
    data_ = std::make_unique_for_overwrite<std::byte[]>(first_.back());
  }

  std::size_t bytes() const override { return first_.back(); }
  std::size_t packs() const { return first_.size() - 1; }
  /// The state of a pack; empty if the store has no memory for it.
  std::span<std::byte> state(std::size_t pack) {
    return {data_.get() + first_[pack], first_[pack + 1] - first_[pack]};
  }
  std::span<std::byte const> state(std::size_t pack) const {
    return {data_.get() + first_[pack], first_[pack + 1] - first_[pack]};
  }

 private:
  std::vector<std::size_t> first_;  ///< of each pack, in bytes
  std::unique_ptr<std::byte[]> data_;
};

}  // namespace tessera::spectral
