// SPDX-License-Identifier: MIT
#include "bench/literature/lattice/cavity_cut.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "geometry/generate.hpp"

namespace tessera {
namespace {

constexpr Int3 sub_domain_grid{3, 3, 3};
constexpr std::size_t middle_sub_domain = linear_index(sub_domain_grid, {1, 1, 1});
constexpr std::size_t most_sub_domains = 27;

/// Voxels in front of the centre; behind it there may be one more.
Int3 in_front(std::int64_t edge, Int3 centre) {
  Int3 front;
  for (Axis const a : all_axes) front[a] = (edge - centre[a]) / 2;
  return front;
}

Int3 origin_for(std::int64_t edge, Int3 centre) {
  Int3 const front = in_front(edge, centre);
  Int3 origin;
  for (Axis const a : all_axes) {
    std::int64_t const beyond_a_border = front[a] % block_shape[a];
    origin[a] = beyond_a_border > 0 ? block_shape[a] - beyond_a_border : 0;
  }
  return origin;
}

Geometry box_of_fluid(std::int64_t edge, Int3 origin) {
  Geometry box = uniform_box(origin + Int3{edge, edge, edge}, 0);
  for (std::int64_t z = origin.z; z < box.shape.z; ++z) {
    for (std::int64_t y = origin.y; y < box.shape.y; ++y) {
      auto const row =
          box.pore.begin() + static_cast<std::ptrdiff_t>(linear_index(box.shape, {origin.x, y, z}));
      std::fill_n(row, edge, std::uint8_t{1});
    }
  }
  return box;
}

}  // namespace

Int3 centre_extent(std::int64_t edge, std::int64_t wanted) {
  Int3 centre;
  for (Axis const a : all_axes) {
    std::int64_t const block = block_shape[a];
    std::int64_t const largest = (edge - 2) / block * block;
    std::int64_t const nearest = (2 * wanted + block) / (2 * block) * block;
    centre[a] = largest < block ? edge : std::clamp(nearest, block, largest);
  }
  return centre;
}

CavityBox::CavityBox(std::int64_t edge, Int3 centre)
    : centre_(centre),
      origin_(origin_for(edge, centre)),
      edge_(edge),
      grid_(box_of_fluid(edge, origin_)) {}

TwoLevelCut CavityBox::whole() const {
  return {TileOfBlock(static_cast<std::size_t>(grid_.size()), 0), {0}};
}

TwoLevelCut CavityBox::sub_domains(unsigned cores, bool centre_apart) const {
  Int3 const centre_begin = origin_ + in_front(edge_, centre_);
  Int3 const centre_end = centre_begin + centre_;
  std::vector<std::size_t> sub_domain_of_block;
  std::array<std::int64_t, most_sub_domains> nodes{};
  for (std::int32_t b = 0; b < grid_.size(); ++b) {
    Int3 const first = grid_.origin(b);
    Int3 at;
    for (Axis const a : all_axes)
      at[a] = first[a] < centre_begin[a] ? 0 : first[a] < centre_end[a] ? 1 : 2;
    std::size_t const s = linear_index(sub_domain_grid, at);
    sub_domain_of_block.push_back(s);
    nodes[s] += grid_.blocks()[static_cast<std::size_t>(b)].nodes;
  }

  std::array<std::size_t, most_sub_domains> by_size{};
  std::iota(by_size.begin(), by_size.end(), 0);
  std::ranges::stable_sort(by_size, std::ranges::greater{},
                           [&](std::size_t s) { return nodes[s]; });
  std::vector<std::vector<std::size_t>> parts(cores + (centre_apart ? 1 : 0));
  std::vector<std::int64_t> load(cores, 0);
  for (std::size_t const s : by_size) {
    if (nodes[s] == 0) continue;  // along an axis that is not cut
    if (centre_apart && s == middle_sub_domain) {
      parts.front().push_back(s);
      continue;
    }
    auto const least = static_cast<std::size_t>(std::ranges::min_element(load) - load.begin());
    load[least] += nodes[s];
    parts[least + (centre_apart ? 1 : 0)].push_back(s);
  }

  TwoLevelCut cut;
  std::array<std::int32_t, most_sub_domains> tile_of_sub_domain{};
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t const s : parts[p]) {
      tile_of_sub_domain[s] = static_cast<std::int32_t>(cut.part_of_tile.size());
      cut.part_of_tile.push_back(static_cast<std::int32_t>(p));
    }
  }
  for (std::size_t const s : sub_domain_of_block)
    cut.tile_of_block.push_back(tile_of_sub_domain[s]);
  return cut;
}

}  // namespace tessera
