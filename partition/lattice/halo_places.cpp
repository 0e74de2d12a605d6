// SPDX-License-Identifier: MIT
#include "partition/lattice/halo_places.hpp"

#include <algorithm>
#include <bit>

namespace tessera {
namespace {

/// Visits the directions less one: the stretches of a row, from the one that it is put to.
template <class Visit>
void for_each_stretch(std::uint32_t directions, Visit&& visit) {
  for (std::uint32_t left = directions >> 1; left != 0; left &= left - 1)
    visit(static_cast<std::uint32_t>(std::countr_zero(left)));
}

/// The places from which on `nodes` places are free.
std::uint32_t beginnings(std::uint32_t free, std::uint32_t nodes) {
  for (std::uint32_t checked = 1; checked < nodes;) {
    std::uint32_t const more = std::min(checked, nodes - checked);
    free &= free >> more;
    checked += more;
  }
  return free;
}

}  // namespace

std::uint32_t HaloPlaces::add(std::uint32_t directions, std::uint32_t nodes) {
  static_assert(halo_stride == 32, "the places of a stretch are bits of 32");
  std::uint32_t& stretch = last_[{directions, nodes}];
  for (;; ++stretch) {
    std::size_t const end = std::size_t{stretch} + std::bit_width(directions >> 1);
    if (taken_.size() < end) taken_.resize(end, 0);
    std::uint32_t taken = 0;
    for_each_stretch(directions, [&](std::uint32_t k) { taken |= taken_[stretch + k]; });
    std::uint32_t const fits = beginnings(~taken, nodes);
    if (fits == 0) continue;
    auto const place = static_cast<std::uint32_t>(std::countr_zero(fits));
    std::uint32_t const mask = (nodes == halo_stride ? ~0U : (1U << nodes) - 1) << place;
    for_each_stretch(directions, [&](std::uint32_t k) { taken_[stretch + k] |= mask; });
    std::uint32_t const last =
        stretch + static_cast<std::uint32_t>(std::bit_width(directions >> 1)) - 1;
    values_ = std::max(values_, halo_stride * last + place + nodes);
    return halo_stride * stretch + place;
  }
}

}  // namespace tessera
