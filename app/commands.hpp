// SPDX-License-Identifier: MIT
// The commands of `tessera`. Each adds itself to the command line and returns its exit status when
// it is run.
#pragma once

#include <functional>

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace tessera {

enum ExitStatus : int { done = 0, failed = 1, bad_input = 2, not_converged = 3 };

/// What to run if the command is chosen.
using Command = std::function<int()>;

Command add_info_command(CLI::App& command);
Command add_generate_command(CLI::App& command);
Command add_permeability_command(CLI::App& command);
Command add_run_command(CLI::App& command);

}  // namespace tessera
