// SPDX-License-Identifier: MIT
// Bytes of numbers, for files made by hand.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tessera::test {

/// Bytes of numbers in a chosen byte order.
class Bytes {
 public:
  explicit Bytes(bool big_endian) : big_endian_(big_endian) {}

  Bytes& number(unsigned long long value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      int const place = big_endian_ ? bytes - 1 - i : i;
      text_ += static_cast<char>((value >> (8 * place)) & 0xff);
    }
    return *this;
  }
  Bytes& text(std::string_view more) {
    text_ += more;
    return *this;
  }
  bool big_endian() const { return big_endian_; }
  std::size_t size() const { return text_.size(); }
  std::string const& str() const { return text_; }

 private:
  bool big_endian_;
  std::string text_;
};

}  // namespace tessera::test
