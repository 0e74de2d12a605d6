// SPDX-License-Identifier: MIT
// A program of commands: chooses the command that its line names, and turns errors into one line
// and an exit status.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "interfaces/cli/command.hpp"

namespace tessera {

struct CommandEntry {
  char const* name = nullptr;
  char const* description = nullptr;
  Command (*add)(CLI::App& command) = nullptr;
  bool takes_ranks = false;  ///< may be run by several processes of MPI together
};

/// Returns the exit status. `versions`: answers --version, where more than a line is known.
int run_program(std::span<CommandEntry const> commands, int argc, char** argv,
                std::function<std::string()> versions = {});

}  // namespace tessera
