// SPDX-License-Identifier: MIT
// The fluxes through the slices of a pore space, which are all alike in a flow that has settled.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "methods/steady/node_set.hpp"
#include "methods/steady/union_find.hpp"
#include "methods/stokes/solution.hpp"

namespace tessera::steady::stokes {

/// Flux of each slice across the axis, and the sum of its nodes' mobilities. In whole numbers,
/// which add up to the same in any order.
struct AddSlices {
  static constexpr bool by_one_gpu = true;
  Grid grid{};
  std::int32_t const* place_of = nullptr;
  std::uint8_t const* part_of = nullptr;
  std::int32_t const* first_slot = nullptr;
  Four<double> const* moments = nullptr;
  float const* mobility = nullptr;
  int axis = 0;
  double scale = 0;  ///< of fluxes
  double mobility_scale = 0;
  std::int64_t* fluxes = nullptr;
  std::int64_t* mobilities = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    Voxel const corner = grid.corner(place_of[a]);
    std::int64_t slot = first_slot[a];
    for (int e = 0; e < 8; ++e) {
      if ((part_of[a] >> e & 1U) == 0) continue;
      double const u = component(moments[slot], axis) / sqrt3 - 0.5;
      double const c = mobility[slot++];
      std::int32_t const at = axis == 0   ? corner.x + (e & 1)
                              : axis == 1 ? corner.y + (e >> 1 & 1)
                                          : corner.z + (e >> 2);
      fetch_add(fluxes + at, static_cast<std::int64_t>(u * scale));
      fetch_add(mobilities + at, static_cast<std::int64_t>(c * mobility_scale));
    }
  }
};

/// How far the fluxes of slices are from their mean; infinite where nothing flows.
struct Slices {
  double spread = std::numeric_limits<double>::infinity();  ///< largest less least, over the mean
  /// What is dissipated in excess of equal fluxes (docs/method.md, "Without steps").
  double excess = std::numeric_limits<double>::infinity();
};

/// By what mobilities are multiplied for sums in whole numbers. Open pores have 1/4 at least; the
/// least of grey ones is far smaller, so the sum of the largest slice that there may be decides:
/// (length)^2 / 8 at each voxel.
inline double mobility_scale(Voxel shape, bool is_grey) {
  if (!is_grey) return 0x1p16;
  double const x = shape.x;
  double const y = shape.y;
  double const z = shape.z;
  double const longest = std::max({x, y, z});
  return 0x1p60 / (x * y * z / std::min({x, y, z}) * longest * longest / 8);
}

/// Compares the slices across an axis (0, 1, 2). `moments`: of the state at the slots; `linear`:
/// the sum of its velocities along the axis.
template <class Machine>
Slices compare_slices(Machine& machine, NodeSet<Machine, Links::size> const& set, int axis,
                      Four<double> const* moments, float const* mobility, bool is_grey,
                      double linear) {
  Slices found;
  auto const& shape = set.grid.shape;
  auto const length = static_cast<std::size_t>(axis == 0 ? shape.x : axis == 1 ? shape.y : shape.z);
  double const mean_velocity = std::abs(linear) / static_cast<double>(set.nodes);
  if (!(mean_velocity > 0) || !std::isfinite(mean_velocity)) return found;
  double const scale = 0x1p36 / mean_velocity;
  auto slices = machine.template array<std::int64_t>(2 * length);
  machine.for_each(set.aggregates,
                   AddSlices{set.grid, set.place_of.get(), set.part_of.get(), set.first_slot.get(),
                             moments, mobility, axis, scale, mobility_scale(shape, is_grey),
                             slices.get(), slices.get() + length});
  std::vector<std::int64_t> host(2 * length);
  machine.download(host.data(), slices.get(), host.size());
  machine.sum_over_ranks(host);
  double const mean = linear / static_cast<double>(length) * scale;
  auto const fluxes = std::span(host).first(length);
  auto const [least, most] = std::ranges::minmax(fluxes);
  found.spread = static_cast<double>(most - least) / std::abs(mean);
  double resistance = 0;
  double excess = 0;
  for (std::size_t s = 0; s < length; ++s) {
    double const own = 1 / static_cast<double>(host[length + s]);
    double const off = static_cast<double>(fluxes[s]) / mean - 1;
    resistance += own;
    excess += own * off * off;
  }
  found.excess = excess / resistance;
  return found;
}

}  // namespace tessera::steady::stokes
