// SPDX-License-Identifier: MIT
// Lists of the users' names for the values of an enumeration. All code that reads or writes these
// words uses such a list, never the order of the enumerators.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {

template <class Value, std::size_t size>
using NameList = std::array<std::pair<std::string_view, Value>, size>;

/// The name of a value in a list.
template <class Names, class Value>
constexpr std::string_view name_in(Names const& names, Value value) {
  for (auto const& [name, named] : names) {
    if (named == value) return name;
  }
  return {};
}

/// The value of a name, if it has one.
template <class Value, std::size_t size>
constexpr std::optional<Value> named(NameList<Value, size> const& names, std::string_view name) {
  for (auto const& [known, value] : names) {
    if (known == name) return value;
  }
  return std::nullopt;
}

/// The names of a list, in its order.
template <class Names>
std::vector<std::string_view> words_of(Names const& names) {
  std::vector<std::string_view> words;
  words.reserve(names.size());
  for (auto const& [name, value] : names) words.push_back(name);
  return words;
}

/// "a", "a or b", "a, b or c"; or with "and".
inline std::string one_of(std::vector<std::string_view> const& words,
                          std::string_view last = " or ") {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace tessera
