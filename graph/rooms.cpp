// SPDX-License-Identifier: MIT
#include "graph/rooms.hpp"

#include <algorithm>
#include <cstddef>

namespace tessera {
namespace {

/// The visits of a sweep, domain by domain.
std::vector<std::vector<Visit>> by_domain(Sweep const& sweep,
                                          std::vector<std::int32_t> const& domain_of_tile) {
  std::vector<std::vector<Visit>> visits(
      static_cast<std::size_t>(*std::ranges::max_element(domain_of_tile) + 1));
  for (Visit const& visit : sweep.visits) {
    auto const domain = domain_of_tile[static_cast<std::size_t>(visit.tile)];
    visits[static_cast<std::size_t>(domain)].push_back(visit);
  }
  return visits;
}

}  // namespace

std::vector<std::vector<Swap>> swaps_of(Sweep const& sweep, std::int32_t rooms,
                                        std::vector<std::int32_t> const& domain_of_tile) {
  std::vector<std::vector<Swap>> swaps(sweep.waves.size());
  if (rooms == 0) return swaps;
  auto const room_count = static_cast<std::size_t>(rooms);
  for (auto const& visits : by_domain(sweep, domain_of_tile)) {
    for (std::size_t i = room_count; i < visits.size(); ++i) {
      Visit const& leaves = visits[i - room_count];
      Visit const& comes = visits[i];
      if (leaves.tile == comes.tile || leaves.last_wave() >= comes.wave) continue;
      swaps[static_cast<std::size_t>(leaves.last_wave())].push_back({leaves, comes});
    }
  }
  return swaps;
}

std::vector<bool> first_in(Sweep const& sweep, std::int32_t rooms,
                           std::vector<std::int32_t> const& domain_of_tile) {
  std::vector<bool> first(domain_of_tile.size(), false);
  for (auto const& visits : by_domain(sweep, domain_of_tile)) {
    for (std::size_t i = 0; i < std::min(visits.size(), static_cast<std::size_t>(rooms)); ++i)
      first[static_cast<std::size_t>(visits[i].tile)] = true;
  }
  return first;
}

}  // namespace tessera
