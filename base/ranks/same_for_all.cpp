// SPDX-License-Identifier: MIT
#include "base/ranks/same_for_all.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/ranks/host_name.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/together.hpp"

namespace tessera {
namespace {

constexpr std::size_t most_named = 4;

/// "a", "a and b", "a, b and c", "a, b, c, d and 12 more".
std::string listed(std::vector<std::string> names) {
  if (names.size() > most_named) {
    std::size_t const more = names.size() - most_named;
    names.resize(most_named);
    names.push_back(fmt::format("{} more", more));
  }
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list += fmt::format("{}{}", i == 0 ? "" : i + 1 < names.size() ? ", " : " and ", names[i]);
  return list;
}

}  // namespace

std::string ranks_unlike_first(std::span<std::string const> of_ranks) {
  std::vector<std::string> const hosts = Ranks::all_gather(host_name());
  std::vector<std::string> unlike;
  for (std::size_t rank = 1; rank < of_ranks.size(); ++rank) {
    if (of_ranks[rank] != of_ranks.front())
      unlike.push_back(fmt::format("rank {} ({})", rank, hosts[rank]));
  }
  return listed(std::move(unlike));
}

void expect_same_for_all(std::string_view what, std::string const& own) {
  if (Ranks::alone()) return;
  std::vector<std::string> const of_ranks = Ranks::all_gather(own);
  std::string const unlike = ranks_unlike_first(of_ranks);
  if (unlike.empty()) return;
  std::string const& first = of_ranks.front();
  bool const others_have_none = std::ranges::all_of(
      of_ranks, [&](std::string const& text) { return text.empty() || text == first; });
  std::string const difference =
      first.empty()      ? fmt::format("none is there for rank 0, but one for {}", unlike)
      : others_have_none ? fmt::format("none is there for {}, but one for rank 0", unlike)
                         : fmt::format("another one is there for {} than for rank 0", unlike);
  throw BadInputOfAll(fmt::format("{}: {}: expected the same for all ranks", what, difference));
}

}  // namespace tessera
