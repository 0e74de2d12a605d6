// SPDX-License-Identifier: MIT
// The sub-commands of `tessera bench`.
#pragma once

#include "app/commands.hpp"

namespace tessera {

/// Adds them; what is returned runs the one that was chosen, or else `otherwise`.
Command add_bench_modes(CLI::App& bench, Command const& otherwise);

}  // namespace tessera
