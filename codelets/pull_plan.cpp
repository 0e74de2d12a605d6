// SPDX-License-Identifier: MIT
#include "codelets/pull_plan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "codelets/block_rows.hpp"

namespace tessera {
namespace {

/// Sources so far before and behind a group (nodes) are in the cache: they have been read for the
/// groups before, or fetched since the lattice is streamed through (collide_stream_kernel.hpp).
constexpr std::int64_t near_before = 2000;
constexpr std::int64_t near_behind = 1400;

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

  /// Adds it to the plan, and the lines that it needs to a list.
  void move_to(PullPlan& plan, std::vector<std::vector<std::int32_t>>& lines) {
    plan.groups.push_back({layers_, 0});
    lines.push_back(far_lines());
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
  /// The lines that are not near, but for those that the groups before have named.
  std::vector<std::int32_t> far_lines() {
    std::vector<std::int32_t> lines;
    for (std::size_t q = 1; q < Lattice::size; ++q) {
      std::int64_t const own = first_ + static_cast<std::int64_t>(q) * stride_;
      for (Piece const& piece : pieces_[q]) {
        if (piece.mask == 0) break;
        std::int32_t const begin = piece.position + std::countr_zero(piece.mask);
        std::int32_t const end = piece.position + std::bit_width(piece.mask);
        if (begin > own - near_before && end < own + near_behind) continue;
        for (std::int32_t line = begin / line_values; line * line_values < end; ++line) {
          if (line == std::exchange(last_line_[q], line)) continue;
          lines.push_back(line * line_values);
        }
      }
    }
    return lines;
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
  std::array<std::int32_t, Lattice::size> last_line_{};  ///< that was named, in lines
};

/// Has each group fetch what a later one needs; the first one also what the others before that one
/// need. No more than it can count: the rest comes when it is needed.
void spread(std::vector<std::vector<std::int32_t>> const& lines_of, PullPlan& plan) {
  std::size_t next = 0;
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    std::size_t const before = plan.lines.size();
    for (; next < std::min(g + groups_ahead + 1, lines_of.size()); ++next)
      plan.lines.insert(plan.lines.end(), lines_of[next].begin(), lines_of[next].end());
    plan.lines.resize(
        std::min(plan.lines.size(), before + std::numeric_limits<std::uint8_t>::max()));
    plan.groups[g].lines = static_cast<std::uint8_t>(plan.lines.size() - before);
  }
}

template <class Lattice>
PullPlan plan_pull(TileView const& tile) {
  PullPlan plan;
  Group<Lattice> group;
  std::vector<std::vector<std::int32_t>> lines;
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
          if (group.advance()) group.move_to(plan, lines);
        }
      }
    }
    if (group.started()) group.move_to(plan, lines);
  }
  spread(lines, plan);
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
