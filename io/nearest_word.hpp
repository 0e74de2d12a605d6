// SPDX-License-Identifier: MIT
// Suggestions for mistyped words.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tessera {

/// Number of letters to change, insert or remove to get from one word to the other (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// "; did you mean 'viscosity'?" if one of the words is near, else nothing.
std::string did_you_mean(std::string_view word, std::span<std::string_view const> known);

}  // namespace tessera
