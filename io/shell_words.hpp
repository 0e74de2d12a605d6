// SPDX-License-Identifier: MIT
// A command line as it would be typed.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tessera {

/// A word quoted for a shell: in single quotes if it has special characters, in bash's $'...' with
/// its bytes in hexadecimal if it is not printable UTF-8.
std::string shell_quoted(std::string_view word);

/// The words with blanks between them.
std::string shell_line(std::span<std::string const> words);

}  // namespace tessera
