// SPDX-License-Identifier: MIT
// Halo exchange of one layer between processes whose layers meet.
#pragma once

#include <vector>

#include "base/ranks/all_to_all.hpp"
#include "base/ranks/piece.hpp"
#include "base/ranks/ranks.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

/// The rank of the layer below this rank's layers; -1: there is none. In a geometry that wraps it
/// may be this rank.
int rank_below(SpreadGeometry const& geometry);
/// The rank of the layer above this rank's layers; -1: there is none.
int rank_above(SpreadGeometry const& geometry);

/// Collective: sends the values of the lowest own layer to the rank below, and returns those of the
/// layer above; none if there is no such layer, or if every rank has the whole geometry.
template <class T>
std::vector<T> from_above(SpreadGeometry const& geometry, std::vector<T> const& lowest) {
  std::vector<T> above;
  if (geometry.everywhere) return above;
  AllToAll exchange([&](AllToAll::Bytes piece) {
    for (PieceReader reader(piece); !reader.at_end();) above.push_back(reader.take<T>());
  });
  int const below = rank_below(geometry);
  for (T const& value : lowest) {
    if (below >= 0) exchange.add(below, value);
  }
  exchange.finish();
  return above;
}

}  // namespace tessera
