// SPDX-License-Identifier: MIT
#include "run/spread/layer_above.hpp"

#include "geometry/runs.hpp"

namespace tessera {
namespace {

int rank_of(std::int64_t layer, SpreadGeometry const& geometry) {
  auto const there = wrapped(layer, geometry.shape.z, geometry.periodic[2]);
  bool const none = geometry.layers.count() == 0 || !there;
  return none ? -1 : rank_of_layer(there->first, geometry.shape.z);
}

}  // namespace

int rank_below(SpreadGeometry const& geometry) {
  return rank_of(geometry.layers.lower - 1, geometry);
}

int rank_above(SpreadGeometry const& geometry) { return rank_of(geometry.layers.upper, geometry); }

}  // namespace tessera
