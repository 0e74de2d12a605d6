// SPDX-License-Identifier: MIT
// One step of one tile on a core: 16 nodes after the other are pulled by the plan, collided, and
// written to the new lattice, a SIMD vector at a time. Included by one file for each instruction
// set, which supplies the vectors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/storage.hpp"
#include "codelets/lattice/kernels_of_models.hpp"
#include "codelets/lattice/pull_plan.hpp"
#include "codelets/lattice/streamed_lines.hpp"
#include "models/lattice/models.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera {

/// Lanes: what an instruction set does with populations of consecutive nodes, as
///   Stored                 `pulled_together` of them are stored: read(p) from aligned memory;
///                          merge(s, mask, p) takes the lanes of the mask from memory, and may read
///                          the others
///   Vector                 `count` of them are collided, in Arithmetic<Storage>: widen(Stored, v),
///                          those of its v-th vector; load(p) from memory anywhere, which boxes of
///                          other programs use; store(p, v) to aligned memory, past the cache
///                          if that is a whole line; stream(p, v) past the cache, where it is half
///                          a line
///   fetches_runs           whether what comes later is fetched one population after the other
template <class Lanes, class Model>
class TileUpdate {
  using Lattice = typename Model::Lattice;
  using Storage = typename Lanes::Storage;
  using Stored = typename Lanes::Stored;
  using Vector = typename Lanes::Vector;
  using Parameters = typename Model::template Parameters<Arithmetic<Storage>>;
  static constexpr std::uint32_t lanes = Lanes::count;
  static constexpr std::uint32_t pulled_together = Lanes::pulled_together;
  static constexpr std::size_t line = line_bytes / sizeof(Storage);
  static constexpr bool group_spans_lines = group_nodes >= line;
  /// How far ahead (nodes) the second-level cache is filled: measured, the hardware follows too few
  /// of the 19 streams of D3Q19.
  static constexpr std::ptrdiff_t prefetch_distance = 1500;
  /// Where one population after the other is fetched: so many nodes of it, and how far ahead.
  static constexpr std::size_t run_nodes = 512;
  static constexpr std::size_t run_distance = 768;

 public:
  using NewLattice = StreamedLines<Lanes, Lattice::size>;

  TileUpdate(Storage const* old_populations, Parameters const& parameters)
      : old_(old_populations), parameters_(parameters) {}

  void run(TileView const& tile, PullPlan const& plan, NewLattice& to) const {
    Pieces pieces{plan.positions.data(), plan.masks.data()};
    PullPlan::Group const* group = plan.groups.data();
    std::int32_t const* lines = plan.lines.data();
    for (std::uint32_t b = 0; b < tile.counts.blocks; ++b) {
      TileBlock const block = tile.blocks[b];
      std::uint32_t const first = population_at(block, 0, block.first);
      for (std::uint32_t n = 0; n < block.nodes; n += group_nodes, ++group) {
        for (unsigned i = group->lines; i != 0; --i) fetch_line(old_ + *lines++);
        if constexpr (Lanes::fetches_runs) {
          if ((first + n) % line == 0) fetch_run(first + n, block.stride);
        } else if (!group_spans_lines && (first + n) % line == 0) {
          fetch_ahead(old_ + first + n, block.stride);
        }
        to.begin_group(first + n, block.stride);
        pieces = update_group(first + n, block.stride, group->layers, pieces, to);
      }
    }
  }

 private:
  /// The pieces that have not been used yet.
  struct Pieces {
    std::int32_t const* positions;
    std::uint16_t const* masks;
  };

  /// `first`: where population 0 of the first node stands. Returns the pieces of the next group.
  [[gnu::always_inline]] Pieces update_group(std::size_t first, std::size_t stride,
                                             PullPlan::LayerCounts const layers,
                                             Pieces const pieces, NewLattice& to) const {
    Pieces left = pieces;
    for (std::uint32_t lane = 0; lane < group_nodes; lane += pulled_together) {
      Stored pulled[Lattice::size];
      read_bounced(pulled, old_ + first + lane, stride);
      left = merge_layers<-1>(pulled, layers[0], lane, pieces);
      left = merge_layers<0>(pulled, layers[1], lane, left);
      left = merge_layers<1>(pulled, layers[2], lane, left);
      Parameters const parameters = parameters_;  // a copy that no store can alias
#pragma GCC unroll 2
      for (std::uint32_t v = 0; v < pulled_together / lanes; ++v) {
        Vector f[Lattice::size];
#pragma GCC unroll 27
        for (int q = 0; q < Lattice::size; ++q) f[q] = Lanes::widen(pulled[q], v);
        Model::collide(f, parameters);
#pragma GCC unroll 27
        for (std::size_t q = 0; q < Lattice::size; ++q) to.put(q, lane + v * lanes, f[q]);
      }
    }
    return left;
  }

  /// Fetches a line into the first-level cache. Inlined, as a call without another effect may be
  /// dropped.
  [[gnu::always_inline]] static void fetch_line(Storage const* values) {
    for (std::size_t n = 0; n < line_values; n += line) __builtin_prefetch(values + n, 0, 3);
  }

  /// Reads the populations as if there were walls all around the nodes.
  [[gnu::always_inline]] static void read_bounced(Stored (&pulled)[Lattice::size],
                                                  Storage const* own, std::size_t stride) {
#pragma GCC unroll 27
    for (int q = 0; q < Lattice::size; ++q) {
      Storage const* const bounced = own + static_cast<std::size_t>(Lattice::opposite(q)) * stride;
      pulled[q] = Lanes::read(bounced);
      if constexpr (group_spans_lines && !Lanes::fetches_runs)
        __builtin_prefetch(bounced + prefetch_distance, 0, 2);
    }
  }

  /// Prefetches lines that several groups share: once a line, not once for each group in it.
  [[gnu::always_inline]] static void fetch_ahead(Storage const* own, std::size_t stride) {
#pragma GCC unroll 27
    for (std::size_t q = 0; q < Lattice::size; ++q)
      __builtin_prefetch(own + q * stride + prefetch_distance, 0, 2);
  }

  /// Prefetches as many lines as are read before the next call, but side by side those of one
  /// population: each comes once in `run_nodes` nodes. On a Zen 3 core that is a fifth faster than
  /// one line after the other of all populations (docs/notebook/cores.md).
  [[gnu::always_inline]] void fetch_run(std::size_t first, std::size_t stride) const {
    constexpr std::size_t step = group_spans_lines ? group_nodes : line;
    constexpr std::size_t nodes = std::size_t{Lattice::size} * step;  // in all populations
    std::size_t const in_run = first % run_nodes;
    std::size_t const begin = in_run / step * nodes;
    std::size_t n = begin % run_nodes;
    Storage const* population = old_ + (first - in_run) + run_distance + begin / run_nodes * stride;
    for (std::size_t left = nodes; left != 0; left -= line) {
      __builtin_prefetch(population + n, 0, 2);
      n += line;
      if (n == run_nodes) {
        n = 0;
        population += stride;
      }
    }
  }

  /// Merges what streams in along the velocities with this c_x.
  template <int cx>
  [[gnu::always_inline]] Pieces merge_layers(Stored (&pulled)[Lattice::size], unsigned layers,
                                             std::uint32_t lane, Pieces pieces) const {
    for (unsigned k = 0; k < layers; ++k) {
#pragma GCC unroll 27
      for (int q = 1; q < Lattice::size; ++q) {
        if (Lattice::x(q) != cx) continue;
        auto const mask = static_cast<std::uint32_t>(*pieces.masks++) >> lane;
        pulled[q] = Lanes::merge(pulled[q], mask, old_ + *pieces.positions++ + lane);
      }
    }
    return pieces;
  }

  Storage const* const old_;
  Parameters const parameters_;
};

template <class Lanes, class Model>
void collide_stream(TileView const& tile, PullPlan const& plan, void const* old_populations,
                    void* new_populations, FlowParameters const& parameters) {
  using Storage = typename Lanes::Storage;
  typename TileUpdate<Lanes, Model>::NewLattice to(static_cast<Storage*>(new_populations));
  TileUpdate<Lanes, Model>(static_cast<Storage const*>(old_populations),
                           Model::template narrow<Arithmetic<Storage>>(parameters))
      .run(tile, plan, to);
  to.finish();
}

/// The kernels of an instruction set for a list of models. Nothing but addresses: code that chooses
/// among them must not be compiled for that instruction set.
template <class FloatLanes, class DoubleLanes, class HalfLanes, class List>
inline constexpr std::array<ModelKernels, 0> kernels_of{};
template <class FloatLanes, class DoubleLanes, class HalfLanes, class... Models>
inline constexpr std::array<ModelKernels, sizeof...(Models)>
    kernels_of<FloatLanes, DoubleLanes, HalfLanes, ModelList<Models...>>{
        {{collide_stream<FloatLanes, Models>, collide_stream<DoubleLanes, Models>,
          collide_stream<HalfLanes, Models>}...}};

}  // namespace tessera
