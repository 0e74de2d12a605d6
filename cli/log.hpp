// SPDX-License-Identifier: MIT
// Warnings and what has been understood, on standard error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

enum class Verbosity : std::uint8_t { quiet, normal, verbose };

/// A pipe gets warnings only; a person what has been understood of the input as well.
void set_up_log(Verbosity verbosity);

/// All warnings and errors so far, in their order (of more than a hundred the last ones), for
/// results.json.
std::vector<std::string> warnings_given();

}  // namespace tessera
