// SPDX-License-Identifier: MIT
// The command `tessera bench`.
#pragma once

#include "interfaces/cli/command.hpp"

namespace tessera {

Command add_bench_command(CLI::App& command);

/// Adds the sub-commands of `tessera bench`; what is returned runs the one that was chosen, or else
/// `otherwise`.
Command add_bench_modes(CLI::App& bench, Command const& otherwise);

}  // namespace tessera
