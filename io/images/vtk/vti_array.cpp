// SPDX-License-Identifier: MIT
#include "io/images/vtk/vti_array.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "io/text.hpp"

namespace tessera {
namespace {

struct VtiType {
  std::string_view name;
  std::size_t bytes;
  double least;
  double most;
};

template <typename T>
constexpr VtiType integers(std::string_view name) {
  return {name, sizeof(T), static_cast<double>(std::numeric_limits<T>::lowest()),
          static_cast<double>(std::numeric_limits<T>::max())};
}

constexpr double any = std::numeric_limits<double>::infinity();
constexpr std::array vti_types{
    integers<std::int8_t>("Int8"),      integers<std::uint8_t>("UInt8"),
    integers<std::int16_t>("Int16"),    integers<std::uint16_t>("UInt16"),
    integers<std::int32_t>("Int32"),    integers<std::uint32_t>("UInt32"),
    integers<std::int64_t>("Int64"),    integers<std::uint64_t>("UInt64"),
    VtiType{"Float32", 4, -any, any},   VtiType{"Float64", 8, -any, any},
    integers<std::int64_t>("vtkIdType")};

bool is_value_of(std::string_view word, VtiType const& type) {
  char const* const begin = std::to_address(word.begin());
  char const* const end = std::to_address(word.end());
  double value = 0;
  if (type.most == any) return std::from_chars(begin, end, value).ptr == end;
  // A double does not hold all digits of 64-bit integers, but enough to tell whether they fit.
  std::int64_t whole = 0;
  std::uint64_t large = 0;
  if (auto const read = std::from_chars(begin, end, whole);
      read.ptr == end && read.ec == std::errc{}) {
    value = static_cast<double>(whole);
  } else if (auto const more = std::from_chars(begin, end, large);
             more.ptr == end && more.ec == std::errc{}) {
    value = static_cast<double>(large);
  } else {
    return false;
  }
  return value >= type.least && value <= type.most;
}

/// Number of characters of so many bytes in base64.
std::uint64_t in_base64(std::uint64_t bytes) { return (bytes + 2) / 3 * 4; }

std::uint64_t stored_bytes(VtiBytes const& array, std::uint64_t bytes) {
  return array.base64 ? in_base64(bytes) : bytes;
}

/// The first numbers of an array; empty if it is shorter.
std::vector<std::uint64_t> first_words(VtiBytes const& array, VtiEncoding const& encoding,
                                       std::size_t count) {
  std::size_t const bytes = count * encoding.word;
  if (stored_bytes(array, bytes) > array.stored) return {};
  std::string text = array.first(stored_bytes(array, bytes));
  if (array.base64) {
    std::string decoded(text.size(), '\0');
    int const length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(decoded.data()),
                                       reinterpret_cast<unsigned char const*>(text.data()),
                                       static_cast<int>(text.size()));
    if (length < 0) return {};
    text = decoded;
  }
  if (text.size() < bytes) return {};
  std::vector<std::uint64_t> words(count, 0);
  for (std::size_t i = 0; i < bytes; ++i) {
    std::size_t const place =
        encoding.big_endian ? encoding.word - 1 - i % encoding.word : i % encoding.word;
    words[i / encoding.word] |= std::uint64_t{static_cast<unsigned char>(text[i])} << 8 * place;
  }
  return words;
}

constexpr char const* ends_early = "ends before its values";

std::string fault_of_blocks(VtiBytes const& array, VtiEncoding const& encoding,
                            std::uint64_t bytes) {
  auto const head = first_words(array, encoding, 3);
  if (head.empty()) return ends_early;
  std::uint64_t const blocks = head[0];
  constexpr std::uint64_t largest = std::uint64_t{1} << 62U;  // of all blocks together
  if (blocks > array.stored || head[2] > head[1] ||
      head[1] > largest / std::max<std::uint64_t>(blocks, 1))
    return "has a damaged list of blocks";
  std::uint64_t const unpacked =
      blocks == 0 ? 0 : blocks * head[1] - (head[2] == 0 ? 0 : head[1] - head[2]);
  if (unpacked != bytes) return fmt::format("holds {} bytes, {} were expected", unpacked, bytes);
  auto const sizes = first_words(array, encoding, 3 + static_cast<std::size_t>(blocks));
  if (sizes.empty()) return ends_early;
  std::uint64_t packed = 0;
  for (std::size_t i = 3; i < sizes.size(); ++i) {
    if (sizes[i] > array.stored) return ends_early;
    packed += sizes[i];
  }
  std::uint64_t const list = stored_bytes(array, (3 + blocks) * encoding.word);
  if (list + stored_bytes(array, packed) > array.stored) return ends_early;
  return {};
}

}  // namespace

std::size_t bytes_of_vti_type(std::string_view type) {
  auto const* const found = std::ranges::find(vti_types, type, &VtiType::name);
  return found == vti_types.end() ? 0 : found->bytes;
}

std::string fault_of_vti_text(std::string_view text, std::string_view type, std::uint64_t values) {
  constexpr VtiType bit{"Bit", 1, 0, 1};
  auto const* const found = std::ranges::find(vti_types, type, &VtiType::name);
  VtiType const& known = found == vti_types.end() ? bit : *found;
  constexpr std::string_view spaces = " \t\r\n";
  std::uint64_t count = 0;
  for (std::size_t at = text.find_first_not_of(spaces); at != std::string_view::npos; ++count) {
    std::size_t const end = std::min(text.find_first_of(spaces, at), text.size());
    std::string_view const word = text.substr(at, end - at);
    if (!is_value_of(word, known))
      return fmt::format("holds '{}', which is no {}", printable(word.substr(0, 40)), known.name);
    at = text.find_first_not_of(spaces, end);
  }
  if (count != values) return fmt::format("holds {} values, {} were expected", count, values);
  return {};
}

std::string fault_of_vti_bytes(VtiBytes const& array, VtiEncoding const& encoding,
                               std::uint64_t bytes) {
  if (encoding.packed) return fault_of_blocks(array, encoding, bytes);
  auto const head = first_words(array, encoding, 1);
  if (head.empty()) return ends_early;
  if (head[0] != bytes) return fmt::format("holds {} bytes, {} were expected", head[0], bytes);
  if (stored_bytes(array, encoding.word + bytes) > array.stored) return ends_early;
  return {};
}

}  // namespace tessera
