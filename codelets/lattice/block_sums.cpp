// SPDX-License-Identifier: MIT
#include "codelets/lattice/block_sums.hpp"

#include "codelets/lattice/block_sums_terms.hpp"
#include "codelets/lattice/eight_lanes.hpp"
#include "models/lattice/velocity_sets.hpp"

namespace tessera {
namespace {

template <class Storage>
double sum_consecutive(Storage const* values, std::uint32_t count) {
  auto const value = [&](std::uint32_t i) { return static_cast<double>(from_storage(values[i])); };
  EightLanes lanes{};
  std::uint32_t i = 0;
  for (; i + sum_lanes <= count; i += sum_lanes) {
    for (std::uint32_t k = 0; k < sum_lanes; ++k) lanes[k] += value(i + k);
  }
  for (std::uint32_t k = 0; i < count; ++i, ++k) lanes[k] += value(i);
  return add_lanes(lanes);
}

}  // namespace

template <class Lattice, class Storage>
BlockSums sum_block(TileView const& tile, std::uint32_t b, AverageBox const& box,
                    Storage const* f) {
  TileBlock const& block = tile.blocks[b];
  StagedRow rows[staged_rows];
  for_each_staged_row(tile, b, 0, 1, [&](int i, StagedRow const& row) { rows[i] = row; });
  bool const whole = covers(box, block);
  PopulationSums sums[Lattice::size];
  for (int q = 0; q < Lattice::size; ++q) {
    Storage const* const population = f + population_at(block, static_cast<std::uint32_t>(q), 0);
    sums[q].all = sum_consecutive(population + block.first, block.nodes);
    if (whole) {
      sums[q].inside = sums[q].all;
    } else {
      for_each_row_in_box(tile, b, box, [&](std::uint32_t first, std::uint32_t count) {
        sums[q].inside += sum_consecutive(population + first, count);
      });
    }
    if (q == 0) continue;  // at rest: never meets a wall
    EightLanes lanes{};
    for (int y = 0; y < block.extent[1]; ++y)
      lanes[y] = handed_over<Lattice>(block, rows, static_cast<std::uint32_t>(q), y, f);
    sums[q].handed_over = add_lanes(lanes);
  }
  return combine<Lattice>(sums, nodes_in_box(tile, b, box));
}

#define TESSERA_SUM_BLOCK(Lattice, ...)                                                    \
  template BlockSums sum_block<Lattice>(TileView const&, std::uint32_t, AverageBox const&, \
                                        Half const*);                                      \
  template BlockSums sum_block<Lattice>(TileView const&, std::uint32_t, AverageBox const&, \
                                        float const*);                                     \
  template BlockSums sum_block<Lattice>(TileView const&, std::uint32_t, AverageBox const&, \
                                        double const*);
TESSERA_VELOCITY_SETS(TESSERA_SUM_BLOCK)

}  // namespace tessera
