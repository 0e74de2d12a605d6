// SPDX-License-Identifier: MIT
#include "io/meshes/msh_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>
#include <type_traits>

#include "base/errors.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

template <class Number>
constexpr std::string_view kind() {
  if constexpr (std::is_floating_point_v<Number>) return "a finite number";
  return std::is_signed_v<Number> ? "a whole number" : "a whole number from 0 on";
}

}  // namespace

void MshInput::skip_blanks() {
  at_ = std::min(bytes_.find_first_not_of(blanks, at_), bytes_.size());
}

bool MshInput::at_end() {
  skip_blanks();
  return at_ == bytes_.size();
}

std::string_view MshInput::word(std::string_view expected) {
  if (at_end()) refuse(fmt::format("the file ends: expected {}", expected));
  std::size_t const end = std::min(bytes_.find_first_of(blanks, at_), bytes_.size());
  std::string_view const found = bytes_.substr(at_, end - at_);
  at_ = end;
  return found;
}

std::string_view MshInput::line() {
  std::size_t const end = std::min(bytes_.find('\n', at_), bytes_.size());
  std::string_view found = bytes_.substr(at_, end - at_);
  at_ = std::min(end + 1, bytes_.size());
  while (!found.empty() && blanks.find(found.back()) != std::string_view::npos)
    found.remove_suffix(1);
  return found;
}

void MshInput::expect(std::string_view word_there) {
  std::string_view const found = word(word_there);
  if (found != word_there)
    refuse(fmt::format("\"{}\": expected {}", printable(found.substr(0, 40)), word_there));
}

bool MshInput::takes(std::string_view word_perhaps) {
  std::size_t const before = at_;
  if (!at_end() && word(word_perhaps) == word_perhaps) return true;
  at_ = before;
  return false;
}

bool MshInput::skip_behind(std::string_view text) {
  std::size_t const found = bytes_.find(text, at_);
  if (found == std::string_view::npos) return false;
  at_ = found + text.size();
  return true;
}

template <class Number>
Number MshInput::number_in_text(std::string_view what) {
  std::string_view const found = word(what);
  std::string_view digits = found;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  Number value{};
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  bool finite = true;
  if constexpr (std::is_floating_point_v<Number>) finite = std::isfinite(value);
  if (error != std::errc{} || end != digits.data() + digits.size() || !finite) {
    refuse(fmt::format("{} is \"{}\": expected {}", what, printable(found.substr(0, 40)),
                       kind<Number>()));
  }
  return value;
}

template <class Number>
Number MshInput::number(std::string_view what) {
  if (!binary_) return number_in_text<Number>(what);
  if (bytes_.size() - at_ < sizeof(Number)) refuse(fmt::format("the file ends: expected {}", what));
  Number value{};
  std::memcpy(&value, bytes_.data() + at_, sizeof(Number));
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value))
      refuse(fmt::format("{} is {}: expected {}", what, value, kind<Number>()));
  }
  at_ += sizeof(Number);
  return value;
}

std::int32_t MshInput::whole(std::string_view what) { return number<std::int32_t>(what); }
std::uint64_t MshInput::size(std::string_view what) { return number<std::uint64_t>(what); }
double MshInput::real(std::string_view what) { return number<double>(what); }

std::size_t MshInput::fitting(std::uint64_t count, std::string_view what,
                              std::size_t least_bytes) const {
  std::size_t const left = bytes_.size() - at_;
  if (count > left / least_bytes + 1) {
    refuse(fmt::format("{} is {}: expected no more than the {} bytes that follow can hold", what,
                       count, left));
  }
  return count;
}

std::size_t MshInput::count(std::string_view what, std::size_t least_bytes) {
  return fitting(size(what), what, least_bytes);
}

std::size_t MshInput::count_in_text(std::string_view what, std::size_t least_bytes) {
  return fitting(number_in_text<std::uint64_t>(what), what, least_bytes);
}

void MshInput::refuse(std::string const& what) const {
  if (binary_) throw BadInput(fmt::format("{}: byte {}: {}", name_, at_, what));
  auto const line = 1 + std::ranges::count(bytes_.substr(0, at_), '\n');
  throw BadInput(fmt::format("{}: line {}: {}", name_, line, what));
}

}  // namespace tessera
