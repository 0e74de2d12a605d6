// SPDX-License-Identifier: MIT
#include "io/images/netcdf/classic_header.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <vector>

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

  /// Walks through the header; returns where in the file the last value ends.
  std::uint64_t walk() {
    std::uint64_t const records = count();
    std::vector<std::uint64_t> extents;
    for (std::uint64_t left = length_of_list(10); left > 0; --left) {
      name();
      extents.push_back(count());
    }
    attributes();
    std::vector<Variable> variables;
    for (std::uint64_t left = length_of_list(11); left > 0; --left)
      variables.push_back(variable(extents));
    return end_of(variables, records);
  }

 private:
  /// Place and size of a variable; of a single record if the variable grows by records.
  struct Variable {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    bool grows = false;
  };

  static std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t value = 0;
    if (__builtin_mul_overflow(a, b, &value)) throw Damaged{};
    return value;
  }

  static std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    std::uint64_t value = 0;
    if (__builtin_add_overflow(a, b, &value)) throw Damaged{};
    return value;
  }

  Variable variable(std::vector<std::uint64_t> const& extents) {
    Variable found;
    name();
    std::uint64_t values = 1;
    std::uint64_t const axes = count();
    for (std::uint64_t axis = 0; axis < axes; ++axis) {
      std::uint64_t const dimension = count();
      if (dimension >= extents.size()) throw Damaged{};
      std::uint64_t const extent = extents[dimension];
      if (axis == 0 && extent == 0) {
        found.grows = true;
      } else {
        values = product(values, extent);
      }
    }
    attributes();
    found.bytes = product(values, bytes_of_type());
    count();  // the stored size, which is wrong for large variables
    found.begin = number(bytes_of_place_);
    return found;
  }

  static std::uint64_t padded(std::uint64_t bytes) { return sum(bytes, 3) / 4 * 4; }

  std::uint64_t end_of(std::vector<Variable> const& variables, std::uint64_t records) const {
    bool const is_written_as_it_comes = records == (bytes_of_count_ == 4 ? 0xffffffffU : ~0ULL);
    if (is_written_as_it_comes) return ~0ULL;
    bool const alone = std::ranges::count_if(variables, &Variable::grows) == 1;
    std::uint64_t record = 0;
    for (Variable const& one : variables) {
      if (one.grows) record = sum(record, alone ? one.bytes : padded(one.bytes));
    }
    std::uint64_t end = 0;
    for (Variable const& one : variables) {
      if (one.grows && records == 0) continue;
      std::uint64_t const before = one.grows ? product(records - 1, record) : 0;
      end = std::max(end, padded(sum(sum(one.begin, before), one.bytes)));
    }
    return end;
  }

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

  /// Skips so many values, and the padding up to words of four bytes.
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

std::optional<std::uint64_t> end_of_values(std::span<std::byte const> file) {
  try {
    return Header(file).walk();
  } catch (Damaged const&) {
    return std::nullopt;
  }
}

}  // namespace tessera
