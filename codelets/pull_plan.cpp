// SPDX-License-Identifier: MIT
#include "codelets/pull_plan.hpp"

#include <algorithm>
#include <array>

#include "codelets/block_rows.hpp"

namespace tessera {
namespace {

/// The pieces of the group that is being planned.
template <class Lattice>
class Group {
 public:
  void add(int q, std::uint32_t source) {
    auto const position = static_cast<std::int32_t>(source) - static_cast<std::int32_t>(lane_);
    auto& pieces = pieces_[static_cast<std::size_t>(q)];
    std::size_t k = 0;
    while (pieces[k].mask != 0 && pieces[k].position != position) ++k;
    pieces[k].position = position;
    pieces[k].mask = static_cast<std::uint16_t>(pieces[k].mask | 1U << lane_);
    std::uint8_t& layers = layers_[static_cast<unsigned>(Lattice::x(q) + 1)];
    layers = std::max(layers, static_cast<std::uint8_t>(k + 1));
  }

  /// To the next node; true if the group is full.
  bool advance() { return ++lane_ == group_nodes; }
  bool started() const { return lane_ > 0; }

  void move_to(PullPlan& plan) {
    plan.layers.push_back(layers_);
    for (int cx = -1; cx <= 1; ++cx) {
      for (std::size_t k = 0; k < layers_[static_cast<unsigned>(cx + 1)]; ++k) {
        for (int q = 1; q < Lattice::size; ++q) {
          if (Lattice::x(q) != cx) continue;
          Piece const& piece = pieces_[static_cast<std::size_t>(q)][k];
          plan.positions.push_back(piece.position);
          plan.masks.push_back(piece.mask);
        }
      }
    }
    *this = {};
  }

 private:
  struct Piece {
    std::int32_t position = 0;
    std::uint16_t mask = 0;
  };
  std::array<std::array<Piece, group_nodes>, Lattice::size> pieces_{};
  PullPlan::LayerCounts layers_{};
  std::uint32_t lane_ = 0;
};

template <class Lattice>
PullPlan plan_pull(TileView const& tile) {
  PullPlan plan;
  Group<Lattice> group;
  StagedRow rows[staged_rows];
  for (std::uint32_t b = 0; b < tile.counts.blocks; ++b) {
    TileBlock const& block = tile.blocks[b];
    for_each_staged_row(tile, b, 0, 1, [&](int i, StagedRow const& row) { rows[i] = row; });
    for (int z = 0; z < block.extent[2]; ++z) {
      for (int y = 0; y < block.extent[1]; ++y) {
        for (std::uint32_t left = rows[staged_index(y, z)].mask; left != 0; left &= left - 1) {
          auto const x = static_cast<int>(lowest_bit(left));
          for (int q = 1; q < Lattice::size; ++q) {
            std::uint32_t const source = streamed_from<Lattice>(q, rows, x, y, z, block.extent[0]);
            if (source != no_node) group.add(q, source);
          }
          if (group.advance()) group.move_to(plan);
        }
      }
    }
    if (group.started()) group.move_to(plan);
  }
  plan.layers.shrink_to_fit();
  plan.positions.shrink_to_fit();
  plan.masks.shrink_to_fit();
  return plan;
}

}  // namespace

PullPlan plan_pull(LatticeKind lattice, TileView const& tile) {
  return with_lattice(lattice, [&]<class Lattice>() { return plan_pull<Lattice>(tile); });
}

}  // namespace tessera
