// SPDX-License-Identifier: MIT
#include "io/shell_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace tessera {
namespace {

bool is_control(char c) {
  auto const byte = static_cast<unsigned char>(c);
  return byte < ' ' || byte == 0x7f;
}

bool is_utf8(std::string_view text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (nlohmann::json::type_error const&) {
    return false;
  }
}

bool is_plain(char c) {
  auto const byte = static_cast<unsigned char>(c);
  bool const alphanumeric =
      (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
  return alphanumeric || byte >= 0x80 ||
         std::string_view("-_./,:=+%@").find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_quoted(std::string_view word) {
  if (std::ranges::any_of(word, is_control) || !is_utf8(word)) {
    std::string text = "$'";
    for (char const c : word) {
      if (is_plain(c) && static_cast<unsigned char>(c) < 0x80) {
        text += c;
      } else {
        text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      }
    }
    return text + "'";
  }
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string text = "'";
  for (char const c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

std::string shell_line(std::span<std::string const> words) {
  std::string line;
  for (std::string const& word : words) {
    if (!line.empty()) line += ' ';
    line += shell_quoted(word);
  }
  return line;
}

}  // namespace tessera
