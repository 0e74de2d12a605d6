// SPDX-License-Identifier: MIT
#include "io/nearest_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tessera {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // distance[j]: from the letters of a seen so far to the first j of b.
  std::vector<std::size_t> distance(b.size() + 1);
  std::iota(distance.begin(), distance.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = distance[0];
    distance[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t const changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = distance[j + 1];
      distance[j + 1] = std::min({changed, diagonal + 1, distance[j] + 1});
    }
  }
  return distance.back();
}

std::string did_you_mean(std::string_view word, std::span<std::string_view const> known) {
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (std::string_view candidate : known) {
    std::size_t const distance = edit_distance(word, candidate);
    if (distance < least && distance < std::max(word.size(), candidate.size())) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

}  // namespace tessera
