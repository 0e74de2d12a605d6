// SPDX-License-Identifier: MIT
#include "partition/spectral/packs.hpp"

#include <array>
#include <cstddef>

#include "models/spectral/element_curve.hpp"

namespace tessera::spectral {

Packs make_packs(Mesh const& mesh) {
  Packs made;
  made.place_of.resize(mesh.elements());
  std::array<std::int32_t, most_degree + 1> open{};  // the pack that each degree fills
  open.fill(-1);
  for (std::int32_t const element : along_curve(mesh)) {
    auto const e = static_cast<std::size_t>(element);
    std::int32_t& current = open[mesh.degree[e]];
    if (current < 0 || made.packs[static_cast<std::size_t>(current)].elements == lanes) {
      current = static_cast<std::int32_t>(made.packs.size());
      made.packs.push_back({.degree = mesh.degree[e]});
      made.packs.back().element.fill(element);
    }
    Pack& pack = made.packs[static_cast<std::size_t>(current)];
    pack.element[static_cast<std::size_t>(pack.elements)] = element;
    made.place_of[e] = {current, pack.elements++};
  }
  return made;
}

}  // namespace tessera::spectral
