// SPDX-License-Identifier: MIT
#include "methods/steady/node_set.hpp"

#include <bit>
#include <string>

namespace tessera::steady {

Grid make_grid(Geometry const& geometry) {
  constexpr std::int64_t longest = 1 << 20;
  Int3 const s = geometry.shape;
  if (s.x < 1 || s.y < 1 || s.z < 1 || s.x > longest || s.y > longest || s.z > longest)
    throw BadInput("expected a box of 1 to 2^20 voxels along each axis");
  auto const blocks = [](std::int64_t voxels, std::int64_t size) {
    return static_cast<std::int32_t>((voxels + size - 1) / size);
  };
  auto const short_of = [](std::int64_t size) { return static_cast<std::int32_t>(size); };
  Grid const grid{{short_of(s.x), short_of(s.y), short_of(s.z)},
                  {geometry.periodic[0], geometry.periodic[1], geometry.periodic[2]},
                  {blocks(s.x, 32), blocks(s.y, 8), blocks(s.z, 8)}};
  if (grid.places() > std::numeric_limits<std::int32_t>::max())
    throw BadInput("the box has more than 2^34 voxels");
  return grid;
}

Packing pack(std::vector<std::uint8_t> const& masks, std::vector<std::int64_t> const& part_begin) {
  Packing packing;
  auto const aggregates = static_cast<std::int64_t>(masks.size());
  packing.first_slot.resize(masks.size() + 1);
  std::int64_t slot = 0;
  for (std::size_t part = 0; part < part_begin.size(); ++part) {
    std::int64_t const end = part + 1 < part_begin.size() ? part_begin[part + 1] : aggregates;
    std::int64_t const first_chunk = slot / chunk_size;
    std::int64_t nodes = 0;
    for (std::int64_t a = part_begin[part]; a < end; ++a) {
      int const size = std::popcount(masks[static_cast<std::size_t>(a)]);
      if (slot % chunk_size + size > chunk_size) slot = (slot / chunk_size + 1) * chunk_size;
      if (slot / chunk_size == static_cast<std::int64_t>(packing.chunk_part.size())) {
        packing.chunk_part.push_back(static_cast<std::int32_t>(part));
        packing.chunk_aggregate.push_back(static_cast<std::int32_t>(a));
      }
      packing.first_slot[static_cast<std::size_t>(a)] = static_cast<std::int32_t>(slot);
      slot += size;
      nodes += size;
    }
    slot = (slot + chunk_size - 1) / chunk_size * chunk_size;
    packing.part_chunks.push_back({first_chunk, slot / chunk_size});
    packing.part_nodes.push_back(nodes);
  }
  packing.first_slot.back() = static_cast<std::int32_t>(slot);
  packing.chunk_aggregate.push_back(static_cast<std::int32_t>(aggregates));
  return packing;
}

std::vector<std::int32_t> sort_by_set(std::vector<std::int32_t> const& set, std::int64_t sets,
                                      std::vector<std::int64_t>& begin) {
  std::vector<std::int64_t> next(static_cast<std::size_t>(sets) + 1, 0);
  for (std::int32_t const s : set) ++next[static_cast<std::size_t>(s) + 1];
  for (std::size_t s = 0; s + 1 < next.size(); ++s) next[s + 1] += next[s];
  begin.assign(next.begin(), next.end() - 1);
  std::vector<std::int32_t> to(set.size());
  for (std::size_t i = 0; i < set.size(); ++i)
    to[i] = static_cast<std::int32_t>(next[static_cast<std::size_t>(set[i])]++);
  return to;
}

}  // namespace tessera::steady
