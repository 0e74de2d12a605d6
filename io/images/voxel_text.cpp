// SPDX-License-Identifier: MIT
#include "io/images/voxel_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>
#include <type_traits>

#include "base/errors.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view between_words = " \t\r\n\v\f,";

/// Cuts the next word off the front; empty at the end.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(between_words), text.size()));
  std::string_view const word = text.substr(0, text.find_first_of(between_words));
  text.remove_prefix(word.size());
  return word;
}

/// A word as the number that stands in a file of this type, if it is one that fits.
template <typename Stored>
Stored stored_number(std::string_view word, ElementType type, std::size_t voxel,
                     fs::path const& path) {
  std::string_view digits = word;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  Stored value{};
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc{} && end == digits.data() + digits.size()) return value;
  throw BadInput(fmt::format("{}: voxel {} is \"{}\", which is no number of type {}", path.string(),
                             voxel, printable(word.substr(0, 40)), name_of(type)));
}

/// Whether the last value occurs among the others.
bool ends_as_others(Voxels const& voxels) {
  return std::visit(
      [](auto const& values) {
        return std::find(values.begin(), values.end() - 1, values.back()) != values.end() - 1;
      },
      voxels);
}

template <typename Stored>
Voxels read_words(ElementType type, std::size_t count, std::string_view text,
                  fs::path const& path) {
  std::size_t voxel = 0;
  auto const next = [&](void* to, std::size_t bytes) {
    auto* const values = static_cast<Stored*>(to);
    for (std::size_t i = 0; i < bytes / sizeof(Stored); ++i, ++voxel) {
      std::string_view const word = next_word(text);
      if (word.empty())
        throw BadInput(
            fmt::format("{}: truncated: it holds {} of {} numbers", path.string(), voxel, count));
      values[i] = stored_number<Stored>(word, type, voxel, path);
    }
  };
  type.big_endian = std::endian::native == std::endian::big;  // as they are read here
  Voxels voxels = read_elements(type, count, next, path);
  bool const ends_in_a_number = text.empty();
  if (!next_word(text).empty()) {
    throw BadInput(
        fmt::format("{}: longer than its header says: more than {} numbers", path.string(), count));
  }
  if (ends_in_a_number && count > 1 && !ends_as_others(voxels)) {
    throw BadInput(
        fmt::format("{}: truncated? No blank is behind its last number, which occurs "
                    "nowhere else",
                    path.string()));
  }
  return voxels;
}

int value_of_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

}  // namespace

Voxels voxels_in_words(ElementType type, std::size_t count, std::string_view text,
                       fs::path const& path) {
  using Kind = ElementType::Kind;
  if (type.kind == Kind::real) {
    return type.bytes == 8 ? read_words<double>(type, count, text, path)
                           : read_words<float>(type, count, text, path);
  }
  bool const is_signed = type.kind == Kind::signed_integer;
  switch (type.bytes) {
    case 1:
      return is_signed ? read_words<std::int8_t>(type, count, text, path)
                       : read_words<std::uint8_t>(type, count, text, path);
    case 2:
      return is_signed ? read_words<std::int16_t>(type, count, text, path)
                       : read_words<std::uint16_t>(type, count, text, path);
    case 4:
      return is_signed ? read_words<std::int32_t>(type, count, text, path)
                       : read_words<std::uint32_t>(type, count, text, path);
    default:
      return is_signed ? read_words<std::int64_t>(type, count, text, path)
                       : read_words<std::uint64_t>(type, count, text, path);
  }
}

Voxels voxels_in_hex(ElementType type, std::size_t count, std::string_view text,
                     fs::path const& path) {
  std::string bytes;
  bytes.reserve(count * type.bytes);
  int high = -1;
  for (char const c : text) {
    if (between_words.find(c) != std::string_view::npos) continue;
    int const digit = value_of_digit(c);
    if (digit < 0) {
      throw BadInput(fmt::format("{}: \"{}\" is no hexadecimal digit", path.string(),
                                 printable(std::string_view(&c, 1))));
    }
    if (high >= 0) bytes += static_cast<char>(16 * high + digit);
    high = high >= 0 ? -1 : digit;
  }
  if (high >= 0 || bytes.size() != count * type.bytes) {
    throw BadInput(
        fmt::format("{}: {}: {} bytes in hexadecimal digits, but its voxels are {}", path.string(),
                    bytes.size() < count * type.bytes ? "truncated" : "longer than its header says",
                    bytes.size(), count * type.bytes));
  }
  return voxels_from(type, count, bytes.data(), path);
}

}  // namespace tessera
