// SPDX-License-Identifier: MIT
// The two small languages in which a user says what is pore: lists of labels, and thresholds.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/errors.hpp"
#include "io/images/labels.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

/// Takes a number from the front of `text`.
template <typename Number>
std::optional<Number> take_number(std::string_view& text) {
  skip_blanks(text);
  Number number{};
  auto const [next, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(next - text.data()));
  skip_blanks(text);
  return number;
}

bool take(std::string_view& text, std::string_view token) {
  if (!text.starts_with(token)) return false;
  text.remove_prefix(token.size());
  skip_blanks(text);
  return true;
}

}  // namespace

LabelSet LabelSet::parse(std::string_view text) {
  auto const refuse = [whole = text] {
    return BadInput(fmt::format("labels '{}': expected integers and ranges such as 0,3-5", whole));
  };
  LabelSet set;
  do {
    auto const first = take_number<std::int64_t>(text);
    if (!first) throw refuse();
    auto const last = take(text, "-") ? take_number<std::int64_t>(text) : first;
    if (!last || *last < *first) throw refuse();
    set.ranges_.push_back({*first, *last});
  } while (take(text, ","));
  if (!text.empty()) throw refuse();
  return set;
}

LabelSet LabelSet::of(std::int64_t label) {
  LabelSet set;
  set.ranges_.push_back({label, label});
  return set;
}

void LabelSet::add(LabelSet const& other) {
  ranges_.insert(ranges_.end(), other.ranges_.begin(), other.ranges_.end());
}

bool LabelSet::contains(double label) const {
  // A float image may hold labels; 2.5 is none, even between 0 and 5.
  constexpr double beyond = 0x1p63;
  if (label != std::floor(label) || label < -beyond || label >= beyond) return false;
  auto const whole = static_cast<std::int64_t>(label);
  return std::ranges::any_of(
      ranges_, [whole](Range const& range) { return range.first <= whole && whole <= range.last; });
}

std::optional<std::int64_t> LabelSet::common_label(LabelSet const& other) const {
  for (Range const& mine : ranges_) {
    for (Range const& its : other.ranges_) {
      std::int64_t const first = std::max(mine.first, its.first);
      if (first <= std::min(mine.last, its.last)) return first;
    }
  }
  return std::nullopt;
}

std::string LabelSet::text() const {
  std::vector<std::string> parts;
  parts.reserve(ranges_.size());
  for (Range const& range : ranges_) {
    parts.push_back(range.first == range.last ? fmt::format("{}", range.first)
                                              : fmt::format("{}-{}", range.first, range.last));
  }
  return joined(parts, ",");
}

Threshold Threshold::parse(std::string_view text) {
  std::string_view const whole = text;
  constexpr std::array<std::pair<std::string_view, Relation>, 4> relations{
      {{"<=", Relation::less_or_equal},
       {">=", Relation::greater_or_equal},
       {"<", Relation::less},
       {">", Relation::greater}}};
  Threshold threshold;
  skip_blanks(text);
  for (auto const& [token, relation] : relations) {
    if (!take(text, token)) continue;
    threshold.relation = relation;
    break;
  }
  auto const value = take_number<double>(text);
  if (!value || !text.empty() || !std::isfinite(*value)) {
    throw BadInput(
        fmt::format("threshold '{}': expected a number, or <, <=, > or >= and a number", whole));
  }
  threshold.value = *value;
  return threshold;
}

std::optional<ThresholdRange> ThresholdRange::parse(std::string_view text) {
  constexpr std::string_view dots = "..";
  std::size_t const at = text.find(dots);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(at + dots.size());
  auto const high = take_number<double>(rest);
  if (!high || !rest.empty() || !std::isfinite(*high))
    throw BadInput(fmt::format("threshold '{}': expected a number after the two dots", text));
  ThresholdRange range{.low = Threshold::parse(text.substr(0, at)), .high = {}};
  range.high = {range.low.relation, *high};
  if (!(range.low.value < *high))
    throw BadInput(fmt::format("threshold '{}': expected the lower of two numbers first", text));
  return range;
}

Threshold ThresholdRange::at(double share) const {
  return {low.relation, low.value + share * (high.value - low.value)};
}

template <typename T>
bool Threshold::is_pore(T grey) const {
  double limit = value;
  if constexpr (std::is_same_v<T, float>) {
    // What would round to infinity stays as it is.
    constexpr double beyond = 0x1.ffffffp127;
    if (std::abs(value) < beyond) limit = static_cast<double>(static_cast<float>(value));
  }
  auto const exact = static_cast<double>(grey);  // integers have 32 bits at most
  switch (relation) {
    case Relation::less:
      return exact < limit;
    case Relation::less_or_equal:
      return exact <= limit;
    case Relation::greater:
      return exact > limit;
    case Relation::greater_or_equal:
      break;
  }
  return exact >= limit;
}

template bool Threshold::is_pore(std::uint8_t) const;
template bool Threshold::is_pore(std::int8_t) const;
template bool Threshold::is_pore(std::uint16_t) const;
template bool Threshold::is_pore(std::int16_t) const;
template bool Threshold::is_pore(std::uint32_t) const;
template bool Threshold::is_pore(std::int32_t) const;
template bool Threshold::is_pore(float) const;
template bool Threshold::is_pore(double) const;

}  // namespace tessera
