// SPDX-License-Identifier: MIT
#include "io/netcdf/classic_header.hpp"

#include <array>
#include <cstdint>
#include <exception>

namespace tessera {
namespace {

class Damaged : public std::exception {};

class Header {
 public:
  explicit Header(std::span<std::byte const> file) : rest_{file} {
    skip(3);
    auto const version = number(1);
    bytes_of_count_ = version == 5 ? 8 : 4;
    bytes_of_place_ = version == 1 ? 4 : 8;
  }

  void walk() {
    count();  // of records
    std::uint64_t const dimensions = length_of_list(10);
    for (std::uint64_t i = 0; i < dimensions; ++i) {
      name();
      count();
    }
    attributes();
    std::uint64_t const variables = length_of_list(11);
    for (std::uint64_t i = 0; i < variables; ++i) {
      name();
      for (std::uint64_t axes = count(); axes > 0; --axes) {
        if (count() >= dimensions) throw Damaged{};
      }
      attributes();
      bytes_of_type();
      count();  // bytes of its values
      number(bytes_of_place_);
    }
  }

 private:
  std::uint64_t number(std::size_t bytes) {
    if (bytes > rest_.size()) throw Damaged{};
    std::uint64_t value = 0;
    for (std::byte const byte : rest_.first(bytes))
      value = value << 8U | std::to_integer<unsigned>(byte);
    rest_ = rest_.subspan(bytes);
    return value;
  }

  std::uint64_t count() { return number(bytes_of_count_); }

  void skip(std::uint64_t bytes) {
    if (bytes > rest_.size()) throw Damaged{};
    rest_ = rest_.subspan(bytes);
  }

  /// So many values, and what fills them up to words of four bytes.
  void values(std::uint64_t values, std::uint64_t bytes) {
    if (values > rest_.size()) throw Damaged{};
    skip((values * bytes + 3) / 4 * 4);
  }

  void name() { values(count(), 1); }

  std::uint64_t length_of_list(std::uint64_t tag) {
    std::uint64_t const found = number(4);
    std::uint64_t const length = count();
    bool const is_absent = found == 0 && length == 0;
    if (found != tag && !is_absent) throw Damaged{};
    return length;
  }

  std::uint64_t bytes_of_type() {
    constexpr std::array<std::uint64_t, 12> bytes{0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    std::uint64_t const type = number(4);
    if (type == 0 || type >= bytes.size()) throw Damaged{};
    return bytes[type];
  }

  void attributes() {
    for (std::uint64_t length = length_of_list(12); length > 0; --length) {
      name();
      std::uint64_t const bytes = bytes_of_type();
      values(count(), bytes);
    }
  }

  std::span<std::byte const> rest_;
  std::size_t bytes_of_count_ = 4;
  std::size_t bytes_of_place_ = 4;
};

}  // namespace

bool is_whole_header(std::span<std::byte const> file) {
  try {
    Header(file).walk();
    return true;
  } catch (Damaged const&) {
    return false;
  }
}

}  // namespace tessera
