// SPDX-License-Identifier: MIT
// Case files made by hand, for the tests of their reading.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "case/file/case.hpp"
#include "tests/io/files.hpp"

namespace tessera::test {

/// A whole case but for what a test is about: 6 lines.
inline constexpr std::string_view box = "[geometry]\nshape = [16, 12, 8]\n";
inline constexpr std::string_view rest = "[fluid]\nviscosity = 0.1\n[stop]\nsteps = 100\n";

inline std::string lines(std::string_view a, std::string_view b, std::string_view c = {}) {
  return std::string(a) + std::string(b) + std::string(c);
}

/// The case in the folder's case.toml, made of this text.
inline Case read_text(std::string_view text, TemporaryFolder const& folder) {
  return read_case(folder.write("case.toml", text));
}
inline Case read_text(std::string_view text) { return read_text(text, TemporaryFolder()); }

/// The case of this text below `box` and `rest`, which are 6 lines.
inline Case read_with(std::string_view text) { return read_text(lines(box, rest, text)); }

/// The one line that reading is refused with, without the name of the folder.
template <class Read>
std::string refusal_of_reading(Read&& read, TemporaryFolder const& folder) {
  std::string message = message_of<BadInput>(std::forward<Read>(read));
  EXPECT_EQ(count(message, "\n"), 0U) << message;
  std::string const prefix = (folder.path() / "").string();
  for (std::size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix))
    message.erase(at, prefix.size());
  return message;
}

/// The one line that a text is refused with.
inline std::string refusal(std::string_view text, TemporaryFolder const& folder) {
  return refusal_of_reading([&] { read_text(text, folder); }, folder);
}
inline std::string refusal(std::string_view text) { return refusal(text, TemporaryFolder()); }

/// The one line that a case is refused with, with the text in line 7 and below.
inline std::string refusal_with(std::string_view text) { return refusal(lines(box, rest, text)); }

}  // namespace tessera::test
