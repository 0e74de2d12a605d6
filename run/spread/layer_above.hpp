// SPDX-License-Identifier: MIT
// What the processes show each other where their layers meet.
#pragma once

#include <vector>

#include "base/ranks/exchange.hpp"
#include "base/ranks/piece.hpp"
#include "base/ranks/ranks.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

/// Who has the layer below the own ones; -1: nobody. Where the whole wraps it may be the process
/// itself.
int rank_below(SpreadGeometry const& geometry);
/// Likewise, above.
int rank_above(SpreadGeometry const& geometry);

/// All: hands the values of the lowest own layer to who is below, and returns those of the layer
/// above; none where there is no such layer, and of what is everywhere.
template <class T>
std::vector<T> from_above(SpreadGeometry const& geometry, std::vector<T> const& lowest) {
  std::vector<T> above;
  if (geometry.everywhere) return above;
  Exchange exchange([&](Exchange::Bytes piece) {
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
