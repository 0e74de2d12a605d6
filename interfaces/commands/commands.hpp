// SPDX-License-Identifier: MIT
// The commands of `tessera`.
#pragma once

#include "interfaces/cli/command.hpp"

namespace tessera {

Command add_info_command(CLI::App& command);
Command add_diffusion_command(CLI::App& command);
Command add_generate_command(CLI::App& command);
Command add_permeability_command(CLI::App& command);
Command add_forchheimer_command(CLI::App& command);
Command add_phases_command(CLI::App& command);
Command add_rev_command(CLI::App& command);
Command add_run_command(CLI::App& command);
Command add_tune_command(CLI::App& command);

/// If the first word is "bench" the process becomes tessera-bench, with the same words, or ends.
void become_bench_if_asked(char** argv);
/// For --help.
Command add_bench_command(CLI::App& command);

}  // namespace tessera
