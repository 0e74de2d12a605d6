// SPDX-License-Identifier: MIT
// Functions for one-line messages. Not for use outside io/.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The parts with `separator` between them. (fmt::join causes a false warning of g++ 12 at -O3.)
inline std::string joined(std::vector<std::string> const& parts, std::string_view separator) {
  std::string text;
  for (std::string const& part : parts) {
    if (&part != parts.data()) text += separator;
    text += part;
  }
  return text;
}

/// Text from a file on one line, with whatever characters the file has.
inline std::string printable(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

}  // namespace tessera
