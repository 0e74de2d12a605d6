// SPDX-License-Identifier: MIT
#include "partition/lattice/tile.hpp"

namespace tessera {
namespace {

/// Walks over the tables in their order; both size and pointers come from here.
struct TableWalk {
  std::byte const* base = nullptr;
  std::size_t at = 0;

  template <class T>
  T const* take(std::size_t count) {
    constexpr std::size_t line = 64;
    T const* const table = base == nullptr ? nullptr : reinterpret_cast<T const*>(base + at);
    at += (count * sizeof(T) + line - 1) / line * line;
    return table;
  }
};

TileView walk(TileCounts const& counts, TableWalk& tables) {
  std::size_t const all_blocks = std::size_t{counts.blocks} + counts.halo_blocks;
  return {.counts = counts,
          .blocks = tables.take<TileBlock>(all_blocks),
          .rows = tables.take<Row>(counts.rows),
          .neighbours = tables.take<std::int32_t>(std::size_t{counts.blocks} * blocks_around),
          .sends = tables.take<Segment>(counts.sends),
          .receives = tables.take<Segment>(counts.receives)};
}

}  // namespace

std::size_t tables_bytes(TileCounts const& counts) {
  TableWalk tables{nullptr};
  walk(counts, tables);
  return tables.at;
}

TileView view_tables(TileCounts const& counts, std::byte const* buffer) {
  TableWalk tables{buffer};
  return walk(counts, tables);
}

}  // namespace tessera
