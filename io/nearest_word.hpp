// SPDX-License-Identifier: MIT
// What somebody who mistyped a word meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tessera {

/// Letters to change, insert or remove to come from one word to the other (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// "; did you mean 'viscosity'?" if one of the words is near, else nothing.
std::string did_you_mean(std::string_view word, std::span<std::string_view const> known);

}  // namespace tessera
