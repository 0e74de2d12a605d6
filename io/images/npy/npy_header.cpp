// SPDX-License-Identifier: MIT
#include "io/images/npy/npy_header.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace tessera {

std::string npy_header(std::string const& type, std::string const& shape) {
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  constexpr std::size_t before = 10;
  constexpr std::size_t alignment = 64;
  text.append(alignment - 1 - (before + text.size()) % alignment, ' ');
  text += '\n';
  std::string header = "\x93NUMPY\x01";
  header += '\0';
  header += static_cast<char>(text.size() & 0xffU);
  header += static_cast<char>(text.size() >> 8U);
  return header + text;
}

}  // namespace tessera
