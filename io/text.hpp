// SPDX-License-Identifier: MIT
// Small helps for one-line messages. Not for use outside io/.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The parts with `separator` between them. (fmt::join sets off a false alarm of g++ 12 at -O3.)
inline std::string joined(std::vector<std::string> const& parts, std::string_view separator) {
  std::string text;
  for (std::string const& part : parts) {
    if (&part != parts.data()) text += separator;
    text += part;
  }
  return text;
}

/// Text that a file gave us, on one line whatever the file holds.
inline std::string printable(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

}  // namespace tessera
