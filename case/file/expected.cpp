// SPDX-License-Identifier: MIT
#include "case/file/expected.hpp"

#include <fmt/format.h>

#include "base/name_list.hpp"

namespace tessera {
namespace {

/// "a length" -> "a positive length".
std::string ranged(std::string_view noun, KeyRange range) {
  if (range == KeyRange::any) return std::string(noun);
  std::string_view const name = noun.substr(noun.find(' ') + 1);
  return fmt::format("a {} {}", range == KeyRange::positive ? "positive" : "non-negative", name);
}

std::string number_in_words(CaseKey const& key) {
  return ranged(key.dimension == dimension::none ? "a number" : name_of(key.dimension), key.range);
}

std::string one_in_words(CaseKey const& key) {
  switch (key.kind) {
    case KeyKind::text:
      return "text";
    case KeyKind::file:
      return "the name of a file";
    case KeyKind::word:
      return one_of(key.words);
    case KeyKind::flag:
      return "true or false";
    case KeyKind::whole:
      return ranged("a whole number", key.range);
    case KeyKind::number:
      return number_in_words(key);
    case KeyKind::steps:
      return ranged("a number of steps or time", key.range);
    case KeyKind::space_formula:
      return number_in_words(key) + ", perhaps a formula of x, y, z";
    case KeyKind::time_formula:
      return "a number or a formula of t";
    case KeyKind::field_formula:
      return "a number or a formula of x, y, z, t";
    case KeyKind::text_or_number:
      return "a number or text";
  }
  return {};
}

}  // namespace

std::string value_in_words(CaseKey const& key) {
  std::string one = one_in_words(key);
  switch (key.count) {
    case KeyCount::one:
      break;
    case KeyCount::three:
      return fmt::format("[x, y, z], each {}", one);
    case KeyCount::axes:
      return fmt::format("[x, y] or [x, y, z], each {}", one);
    case KeyCount::list:
      return fmt::format("a list, each {}", one);
    case KeyCount::one_or_list:
      return fmt::format("{} or a list", one);
  }
  return one;
}

std::string expected(CaseKey const& key, bool si) {
  std::string words = value_in_words(key);
  bool const closed = key.kind == KeyKind::word || key.kind == KeyKind::flag;
  if (closed && key.count == KeyCount::one) return words;
  bool const needs_unit = si && key.count == KeyCount::one && key.dimension != dimension::none &&
                          key.example.find('"') == std::string_view::npos;
  if (needs_unit) return fmt::format("{}, such as \"0.1 {}\"", words, unit_of(key.dimension));
  return fmt::format("{}, such as {}", words, key.example);
}

}  // namespace tessera
