// SPDX-License-Identifier: MIT
#include "codelets/lattice/pull_plan.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "codelets/lattice/block_rows.hpp"

namespace tessera {
namespace {

/// Lines that groups need and that are not near, those of one group after those of the other.
class FarLines {
 public:
  void add(std::int32_t line) { lines_.push_back(line * line_values); }
  void end_group() { ends_.push_back(lines_.size()); }

  /// Has each group fetch what a later one needs; the first one also what the others before that
  /// one need. What is more than it can count comes with the next.
  void give_to(PullPlan& plan) {
    constexpr std::size_t most = std::numeric_limits<std::uint8_t>::max();
    std::size_t next = 0;
    for (std::size_t g = 0; g < plan.groups.size(); ++g) {
      std::size_t const end = ends_[std::min(g + groups_ahead, ends_.size() - 1)];
      std::size_t const count = std::min(end - next, most);
      plan.groups[g].lines = static_cast<std::uint8_t>(count);
      next += count;
    }
    plan.lines = std::move(lines_);
    plan.lines.resize(next);
  }

 private:
  std::vector<std::int32_t> lines_;  ///< where they begin
  std::vector<std::size_t> ends_;    ///< in lines_, behind those of each group
};

/// The pieces of the group that is being planned.
template <class Lattice>
class Group {
 public:
  /// Population 0 of the first node stands at `first`, the others `stride` behind each other.
  void start(std::uint32_t first, std::uint32_t stride) {
    first_ = first;
    stride_ = stride;
  }

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

  /// Adds it to the plan, and the lines that it needs.
  void move_to(PullPlan& plan, FarLines& far) {
    name_far_lines(far);
    plan.groups.push_back({layers_, 0});
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
    pieces_ = {};
    layers_ = {};
    lane_ = 0;
    first_ += group_nodes;
  }

 private:
  /// The lines that are not near, but for those that the velocity has named last.
  void name_far_lines(FarLines& far) {
    for (std::size_t q = 1; q < Lattice::size; ++q) {
      std::int64_t const own = first_ + static_cast<std::int64_t>(q) * stride_;
      for (Piece const& piece : pieces_[q]) {
        if (piece.mask == 0) break;
        if (is_near(piece.position, own)) continue;
        std::int32_t const end = piece.position + static_cast<std::int32_t>(group_nodes);
        for (std::int32_t line = piece.position / line_values; line * line_values < end; ++line) {
          if (std::exchange(named_until_[q], line + 1) != line + 1) far.add(line);
        }
      }
    }
    far.end_group();
  }

  struct Piece {
    std::int32_t position = 0;
    std::uint16_t mask = 0;
  };
  std::array<std::array<Piece, group_nodes>, Lattice::size> pieces_{};
  PullPlan::LayerCounts layers_{};
  std::uint32_t lane_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t stride_ = 0;
  std::array<std::int32_t, Lattice::size> named_until_{};  ///< behind the last line, in lines
};

template <class Lattice>
PullPlan plan_pull(TileView const& tile) {
  PullPlan plan;
  Group<Lattice> group;
  FarLines far;
  StagedRow rows[staged_rows];
  for (std::uint32_t b = 0; b < tile.counts.blocks; ++b) {
    TileBlock const& block = tile.blocks[b];
    group.start(population_at(block, 0, block.first), block.stride);
    for_each_staged_row(tile, b, 0, 1, [&](int i, StagedRow const& row) { rows[i] = row; });
    for (int z = 0; z < block.extent[2]; ++z) {
      for (int y = 0; y < block.extent[1]; ++y) {
        for (std::uint32_t left = rows[staged_index(y, z)].mask; left != 0; left &= left - 1) {
          auto const x = static_cast<int>(lowest_bit(left));
          for (int q = 1; q < Lattice::size; ++q) {
            std::uint32_t const source = streamed_from<Lattice>(q, rows, x, y, z, block.extent[0]);
            if (source != no_node) group.add(q, source);
          }
          if (group.advance()) group.move_to(plan, far);
        }
      }
    }
    if (group.started()) group.move_to(plan, far);
  }
  far.give_to(plan);
  plan.groups.shrink_to_fit();
  plan.positions.shrink_to_fit();
  plan.masks.shrink_to_fit();
  plan.lines.shrink_to_fit();
  return plan;
}

}  // namespace

PullPlan plan_pull(LatticeKind lattice, TileView const& tile) {
  return with_lattice(lattice, [&]<class Lattice>() { return plan_pull<Lattice>(tile); });
}

}  // namespace tessera
