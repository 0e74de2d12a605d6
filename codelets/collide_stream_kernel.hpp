// SPDX-License-Identifier: MIT
// One step of one tile on a core: each population is pulled from where it comes from, the nodes are
// collided a SIMD vector at a time, and the result goes to the new lattice.
//
// Two passes over a chunk that stays in the first-level cache: the pull packs the populations of
// consecutive nodes side by side, whatever the pores look like; the collision then runs over full
// vectors. Only the collision computes: what a population is stored as, it keeps until then.
// Included by one file for each instruction set, which supplies the pull and the vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "codelets/block_rows.hpp"
#include "lattice/collision.hpp"
#include "lattice/storage.hpp"
#include "partition/tile.hpp"

namespace tessera {

/// Populations of consecutive nodes, pulled and not yet collided.
template <class Storage>
struct Chunk {
  static constexpr std::uint32_t target = 128;
  /// A row of 32 and the reach of a vector store more; an odd number of cache lines (or of halves
  /// of one) keeps the 19 arrays off each other's cache sets.
  static constexpr std::uint32_t capacity = 176;
  alignas(64) Storage f[D3Q19::size][capacity];
  std::uint32_t count;
};

/// Pull: void operator()(Chunk<Storage>&, Storage const* old, StagedRow const* rows, int y, int z,
/// int width) appends the nodes of row (y, z). Lanes: SIMD vectors of
/// Arithmetic<Storage>, with `Vector load(Storage const*)` and `void store(Storage*, Vector)`, both
/// aligned to what a vector takes in memory.
template <class Storage, Equilibrium equilibrium, class Pull, class Lanes>
class TileUpdate {
  using Real = Arithmetic<Storage>;
  using Vector = typename Lanes::Vector;
  static constexpr std::uint32_t lanes = sizeof(Vector) / sizeof(Real);

 public:
  TileUpdate(TileView const& tile, Storage const* old_populations, Storage* new_populations,
             CollisionParameters<Real> const& parameters)
      : tile_(tile), old_(old_populations), new_(new_populations), parameters_(parameters) {
    std::memset(&chunk_, 0, sizeof chunk_);
  }

  void run() {
    for (std::uint32_t b = 0; b < tile_.layout.blocks; ++b) update_block(b);
  }

 private:
  void update_block(std::uint32_t b) {
    TileBlock const block = tile_.blocks[b];
    for (int z = -1; z <= block.extent[2]; ++z) {
      for (int y = -1; y <= block.extent[1]; ++y)
        rows_[staged_index(y, z)] = stage_row(tile_, b, y, z);
    }
    to_ = new_ + population_at(block, 0, block.first);
    stride_ = block.stride;
    chunk_.count = 0;
    for (int z = 0; z < block.extent[2]; ++z) {
      for (int y = 0; y < block.extent[1]; ++y) {
        if (rows_[staged_index(y, z)].mask == 0) continue;
        Pull{}(chunk_, old_, rows_, y, z, block.extent[0]);
        if (chunk_.count >= Chunk<Storage>::target)
          collide_and_store(chunk_.count / node_alignment * node_alignment);
      }
    }
    // The last vector may reach over the block's end: into the gap before the next block.
    if (chunk_.count > 0) collide_and_store((chunk_.count + lanes - 1) / lanes * lanes);
  }

  /// Collides the first `count` nodes of the chunk, a multiple of the lanes, and moves the rest to
  /// its beginning.
  void collide_and_store(std::uint32_t count) {
    CollisionParameters<Real> const parameters = parameters_;  // a copy that no store can alias
    std::size_t const stride = stride_;
    Storage* to = to_;
    for (std::uint32_t i = 0; i < count; i += lanes, to += lanes) {
      Vector f[D3Q19::size];
#pragma GCC unroll 19
      for (int q = 0; q < D3Q19::size; ++q) f[q] = Lanes::load(&chunk_.f[q][i]);
      collide<equilibrium>(f, parameters);
#pragma GCC unroll 19
      for (std::size_t q = 0; q < D3Q19::size; ++q) Lanes::store(to + q * stride, f[q]);
    }
    to_ += count;
    chunk_.count -= std::min(count, chunk_.count);
    if (chunk_.count == 0) return;
    for (auto& values : chunk_.f)
      std::memcpy(values, values + count, node_alignment * sizeof(Storage));
  }

  TileView const tile_;
  Storage const* const old_;
  Storage* const new_;
  CollisionParameters<Real> const parameters_;
  Storage* to_ = nullptr;  ///< population 0 of the next node
  std::size_t stride_ = 0;
  StagedRow rows_[staged_rows] = {};
  Chunk<Storage> chunk_;
};

/// Calls visit.template operator()<q>() for q = 1..18.
template <int q = 1, class Visit>
TESSERA_HOST_DEVICE void for_each_velocity(Visit&& visit) {
  if constexpr (q < D3Q19::size) {
    visit.template operator()<q>();
    for_each_velocity<q + 1>(visit);
  }
}

/// The pull in plain C++, node by node: the instruction sets without expand and compress, and the
/// reference in tests.
template <class Storage, int instruction_set>
struct PullByNode {
  void operator()(Chunk<Storage>& chunk, Storage const* old, StagedRow const* rows, int y, int z,
                  int width) const {
    StagedRow const& own = rows[staged_index(y, z)];
    std::uint32_t node = own.origin;
    for (std::uint32_t left = own.mask; left != 0; left &= left - 1, ++node) {
      auto const x = static_cast<int>(lowest_bit(left));
      std::uint32_t const to = chunk.count++;
      chunk.f[0][to] = old[node];
      for_each_velocity([&]<int q>() {
        std::uint32_t const source = streamed_from<q>(rows, x, y, z, width);
        chunk.f[q][to] = old[source == no_node ? node + D3Q19::opposite(q) * own.stride : source];
      });
    }
  }
};

}  // namespace tessera
