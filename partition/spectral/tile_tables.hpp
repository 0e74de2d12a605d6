// SPDX-License-Identifier: MIT
// The tables of a tile while they grow, and as one buffer.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "partition/spectral/mortar_faces.hpp"

namespace tessera::spectral {

template <class N>
struct TileTables {
  std::vector<TilePack> packs;
  std::vector<SidePart> parts;
  MortarFaces mortars;
  std::vector<Link> links;
  std::vector<Leaving> leaving;
  std::vector<N> geometry;

  /// The buffer that view_of() takes. Notes in `counts` where each table begins.
  std::vector<CacheLine> in_one(TileCounts& counts) const {
    std::size_t bytes = 0;
    auto const place = [&](auto const& table) {
      std::size_t const at = bytes;
      bytes = (bytes + std::span(table).size_bytes() + 63) / 64 * 64;
      return static_cast<std::int64_t>(at);
    };
    std::vector<MortarFace> const faces = mortars.in_groups(counts);
    std::int64_t const packs_at = place(packs);
    counts.parts_at = place(parts);
    counts.mortars_at = place(faces);
    counts.links_at = place(links);
    counts.leaving_at = place(leaving);
    counts.geometry_at = place(geometry);
    std::vector<CacheLine> all(std::max<std::size_t>(1, bytes / 64));
    auto const write = [&](auto const& table, std::int64_t at) {
      if (!table.empty())
        std::memcpy(std::as_writable_bytes(std::span(all)).data() + at, table.data(),
                    std::span(table).size_bytes());
    };
    write(packs, packs_at);
    write(parts, counts.parts_at);
    write(faces, counts.mortars_at);
    write(links, counts.links_at);
    write(leaving, counts.leaving_at);
    write(geometry, counts.geometry_at);
    return all;
  }
};

}  // namespace tessera::spectral
