// SPDX-License-Identifier: MIT
// One step of one tile on a core: each population is pulled from where it comes from, the nodes are
// collided a SIMD vector at a time, and the result goes to the new lattice.
//
// Two passes over a chunk that stays in the first-level cache: the pull packs the populations of
// consecutive nodes side by side, whatever the pores look like; the collision then runs over full
// vectors. Included by one file for each instruction set, which supplies the pull.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "codelets/block_rows.hpp"
#include "lattice/collision.hpp"
#include "partition/tile.hpp"

namespace tessera {

/// Populations of consecutive nodes, pulled and not yet collided.
template <class Real>
struct Chunk {
  static constexpr std::uint32_t target = 128;
  /// A row of 32 and the reach of a vector store more; an odd number of cache lines keeps the 19
  /// arrays off each other's cache sets.
  static constexpr std::uint32_t capacity = 176;
  alignas(64) Real f[D3Q19::size][capacity];
  std::uint32_t count;
};

/// Pull: void operator()(Chunk<Real>&, Real const* old, StagedRow const* rows, int y, int z, int
/// width) appends the nodes of row (y, z). Vector: bytes of a SIMD vector. Store:
/// writes one vector.
template <class Real, Equilibrium equilibrium, int vector_bytes, class Pull, class Store>
class TileUpdate {
  static constexpr std::uint32_t lanes = vector_bytes / sizeof(Real);
  using Vector [[gnu::vector_size(vector_bytes)]] = Real;

 public:
  TileUpdate(TileView const& tile, Real const* old_populations, Real* new_populations,
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
        if (chunk_.count >= Chunk<Real>::target)
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
    Real* to = to_;
    for (std::uint32_t i = 0; i < count; i += lanes, to += lanes) {
      Vector f[D3Q19::size];
#pragma GCC unroll 19
      for (int q = 0; q < D3Q19::size; ++q)
        f[q] = *reinterpret_cast<Vector const*>(&chunk_.f[q][i]);
      collide<equilibrium>(f, parameters);
#pragma GCC unroll 19
      for (std::size_t q = 0; q < D3Q19::size; ++q) Store{}(to + q * stride, f[q]);
    }
    to_ += count;
    chunk_.count -= std::min(count, chunk_.count);
    if (chunk_.count == 0) return;
    for (auto& values : chunk_.f) {
      for (std::uint32_t i = 0; i < node_alignment; i += lanes) {
        *reinterpret_cast<Vector*>(values + i) =
            *reinterpret_cast<Vector const*>(values + count + i);
      }
    }
  }

  TileView const tile_;
  Real const* const old_;
  Real* const new_;
  CollisionParameters<Real> const parameters_;
  Real* to_ = nullptr;  ///< population 0 of the next node
  std::size_t stride_ = 0;
  StagedRow rows_[staged_rows] = {};
  Chunk<Real> chunk_;
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
template <class Real, int instruction_set>
struct PullByNode {
  void operator()(Chunk<Real>& chunk, Real const* old, StagedRow const* rows, int y, int z,
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
