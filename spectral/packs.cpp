// SPDX-License-Identifier: MIT
#include "spectral/packs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera::spectral {
namespace {

/// Interleaves the bits of three coordinates.
std::uint64_t z_order(std::array<std::uint64_t, 3> const& at) {
  std::uint64_t key = 0;
  for (unsigned bit = 0; bit < 21; ++bit) {
    for (unsigned a = 0; a < 3; ++a) key |= (at[a] >> bit & 1U) << (3 * bit + a);
  }
  return key;
}

struct Extent {
  Point middle;
  Point size;
};

Extent extent_of(std::span<Point const> nodes) {
  Point low = nodes[0];
  Point high = nodes[0];
  for (Point const& node : nodes) {
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], node[a]);
      high[a] = std::max(high[a], node[a]);
    }
  }
  Extent extent{};
  for (std::size_t a = 0; a < 3; ++a) {
    extent.middle[a] = 0.5 * (low[a] + high[a]);
    extent.size[a] = high[a] - low[a];
  }
  return extent;
}

/// The middles in units of the elements' mean size: in a box of equal cells each has a place of its
/// own, and eight of them make a cube.
std::vector<std::uint64_t> curve_positions(Mesh const& mesh) {
  std::vector<Extent> extents;
  Point low{};
  Point mean{};
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    Extent const& extent = extents.emplace_back(extent_of(mesh.nodes_of(e)));
    for (std::size_t a = 0; a < 3; ++a) {
      double const begin = extent.middle[a] - 0.5 * extent.size[a];
      low[a] = e == 0 ? begin : std::min(low[a], begin);
      mean[a] += extent.size[a] / static_cast<double>(mesh.elements());
    }
  }
  std::vector<std::uint64_t> positions;
  for (Extent const& extent : extents) {
    std::array<std::uint64_t, 3> at{};
    for (std::size_t a = 0; a < 3; ++a) {
      double const cells = mean[a] > 0 ? (extent.middle[a] - low[a]) / mean[a] : 0;
      at[a] = static_cast<std::uint64_t>(std::clamp(std::floor(cells), 0.0, 2097151.0));
    }
    positions.push_back(z_order(at));
  }
  return positions;
}

}  // namespace

Packs make_packs(Mesh const& mesh) {
  std::vector<std::uint64_t> const position = curve_positions(mesh);
  std::vector<std::size_t> along_curve(mesh.elements());
  std::iota(along_curve.begin(), along_curve.end(), 0U);
  std::ranges::stable_sort(along_curve, {}, [&](std::size_t e) { return position[e]; });

  Packs made;
  made.place_of.resize(mesh.elements());
  std::array<std::int32_t, most_degree + 1> open{};  // the pack that each degree fills
  open.fill(-1);
  for (std::size_t const e : along_curve) {
    std::int32_t& current = open[mesh.degree[e]];
    if (current < 0 || made.packs[static_cast<std::size_t>(current)].elements == lanes) {
      current = static_cast<std::int32_t>(made.packs.size());
      made.packs.push_back({.degree = mesh.degree[e]});
      made.packs.back().element.fill(static_cast<std::int32_t>(e));
      made.curve_position.push_back(position[e]);
    }
    Pack& pack = made.packs[static_cast<std::size_t>(current)];
    pack.element[static_cast<std::size_t>(pack.elements)] = static_cast<std::int32_t>(e);
    made.place_of[e] = {current, pack.elements++};
  }
  return made;
}

}  // namespace tessera::spectral
