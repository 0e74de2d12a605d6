// SPDX-License-Identifier: MIT
// The commands `tessera bench` and `tessera tune`.
#pragma once

#include "app/commands.hpp"

namespace tessera {

Command add_bench_command(CLI::App& command);
Command add_tune_command(CLI::App& command);

/// Adds the sub-commands of `tessera bench`; what is returned runs the one that was chosen, or else
/// `otherwise`.
Command add_bench_modes(CLI::App& bench, Command const& otherwise);

}  // namespace tessera
