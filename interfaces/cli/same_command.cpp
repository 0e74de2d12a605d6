// SPDX-License-Identifier: MIT
#include "interfaces/cli/same_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "base/ranks/same_for_all.hpp"
#include "base/ranks/together.hpp"
#include "io/text.hpp"
#include "tessera_version.hpp"

namespace tessera {
namespace {

/// These count for each process.
constexpr std::array<std::string_view, 2> of_each{"--cores", "--gpus"};

bool is_of_each(std::string_view word) { return std::ranges::find(of_each, word) != of_each.end(); }

/// One behind the other with a zero after each.
std::string common_words(std::span<char* const> words) {
  std::string common;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view const word(words[i]);
    bool const is_value = i > 0 && is_of_each(words[i - 1]);
    if (!is_value && !is_of_each(word.substr(0, word.find('='))))
      common += std::string(word) + '\0';
  }
  return common;
}

std::vector<std::string> words_in(std::string const& common) {
  std::istringstream stream(common);
  std::vector<std::string> words;
  for (std::string word; std::getline(stream, word, '\0');) words.push_back(word);
  return words;
}

/// 'y' in place of 'x', of the first words that differ.
std::string difference(std::string const& from, std::string const& one) {
  auto const before = words_in(from);
  auto const after = words_in(one);
  auto const [x, y] = std::ranges::mismatch(before, after);
  auto const quoted = [](auto word, auto end) {
    return word == end ? std::string("nothing") : fmt::format("'{}'", printable(*word));
  };
  return fmt::format("{} in place of {}", quoted(y, after.end()), quoted(x, before.end()));
}

}  // namespace

void expect_same_command(std::span<char* const> words) {
  if (Ranks::alone()) return;
  expect_same_for_all("tessera", fmt::format("{} ({})", version, commit));
  auto const of_ranks = Ranks::all_gather(common_words(words));
  std::string const unlike = ranks_unlike_first(of_ranks);
  if (unlike.empty()) return;
  auto const other = std::ranges::find_if(
      of_ranks, [&](std::string const& of_rank) { return of_rank != of_ranks.front(); });
  throw BadInputOfAll(
      fmt::format("options: others for {} than for rank 0, {}: expected the same for all ranks, "
                  "but for --cores and --gpus",
                  unlike, difference(of_ranks.front(), *other)));
}

}  // namespace tessera
