// SPDX-License-Identifier: MIT
// The rows around a lattice block, fetched by the threads of a CUDA block.
//
// The block, its neighbours' numbers, these blocks, their rows: four dependent reads, during which
// no node is updated. So rows are fetched as soon as the numbers are known, from where they stand
// in blocks that are the tile's own and whole, as nearly all are. Rows that turn out to stand
// elsewhere are read again.
#pragma once

#include <cstdint>

#include "codelets/lattice/block_rows.hpp"

namespace tessera::gpu {

/// The rows that one of `threads` threads fetches. All threads construct one, synchronise, and
/// visit.
template <int threads>
class RowsAround {
  static constexpr int rows_of_thread = (staged_rows + threads - 1) / threads;
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

 public:
  /// `around`: shared memory for blocks_around blocks.
  __device__ RowsAround(TileView const& tile, TileBlock* around) : tile_(tile), around_(around) {
    std::int32_t const* const neighbours =
        tile.neighbours + blockIdx.x * std::uint64_t{blocks_around};
    if (threadIdx.x < blocks_around) {
      std::int32_t const number = neighbours[threadIdx.x];
      around_[threadIdx.x] = number < 0 ? TileBlock{} : tile.blocks[number];
    }
    for_each_own([&](int k, int y, int z) {
      RowPlace const place = place_of_row(y, z, block_edge, block_edge);
#pragma unroll
      for (int i = 0; i < 3; ++i) {
        rows_[k][i] = {};
        asked_[k][i] = nowhere;
        std::int32_t const number = neighbours[place.beside + i - 1];
        if (number < 0 || number >= static_cast<std::int32_t>(tile.counts.blocks)) continue;
        asked_[k][i] = static_cast<std::uint32_t>(
            rows_per_block * number +
            row_index(place.y & (block_edge - 1), place.z & (block_edge - 1)));
        rows_[k][i] = tile.rows[asked_[k][i]];
      }
    });
  }

  /// Visits the thread's rows of the block and the ring around it: visit(number, StagedRow).
  template <class Visit>
  __device__ void for_each(Visit&& visit) {
    TileBlock const& own = around_[block_itself];
    for_each_own([&](int k, int y, int z) {
      if (y > own.extent[1] || z > own.extent[2]) return;
      RowPlace const place = place_of_row(y, z, own.extent[1], own.extent[2]);
      TileBlock const* const at = around_ + place.beside;
#pragma unroll
      for (int i = 0; i < 3; ++i) {
        if (at[i - 1].extent[0] == 0) {
          rows_[k][i] = {};
        } else if (auto const number = number_of_row(at[i - 1], place); number != asked_[k][i]) {
          rows_[k][i] = tile_.rows[number];
        }
      }
      visit(staged_index(y, z),
            staged_row(at[-1], rows_[k][0], at[0], rows_[k][1], at[1], rows_[k][2]));
    });
  }

 private:
  template <class Visit>
  __device__ static void for_each_own(Visit&& visit) {
#pragma unroll
    for (int k = 0; k < rows_of_thread; ++k) {
      int const i = static_cast<int>(threadIdx.x) + threads * k;
      if (i < staged_rows) visit(k, i % staged_edge - 1, i / staged_edge - 1);
    }
  }

  TileView const& tile_;
  TileBlock* around_;
  Row rows_[rows_of_thread][3];             ///< of three blocks along x
  std::uint32_t asked_[rows_of_thread][3];  ///< their numbers
};

}  // namespace tessera::gpu
