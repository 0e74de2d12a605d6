// SPDX-License-Identifier: MIT
#include "partition/tile.hpp"

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

TileView walk(TileLayout const& layout, TableWalk& tables) {
  std::size_t const all_blocks = std::size_t{layout.blocks} + layout.halo_blocks;
  return {.layout = layout,
          .blocks = tables.take<TileBlock>(all_blocks),
          .rows = tables.take<Row>(all_blocks * 64),
          .neighbours = tables.take<std::int32_t>(std::size_t{layout.blocks} * 27),
          .sends = tables.take<Segment>(layout.sends),
          .receives = tables.take<Segment>(layout.receives)};
}

}  // namespace

std::size_t tables_bytes(TileLayout const& layout) {
  TableWalk tables{nullptr};
  walk(layout, tables);
  return tables.at;
}

TileView view_tables(TileLayout const& layout, std::byte const* buffer) {
  TableWalk tables{buffer};
  return walk(layout, tables);
}

}  // namespace tessera
