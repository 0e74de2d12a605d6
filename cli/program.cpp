// SPDX-License-Identifier: MIT
#include "cli/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "cli/streams.hpp"
#include "cli/unknown_word.hpp"
#include "lattice/errors.hpp"
#include "tessera_version.hpp"

namespace tessera {
namespace {

int complain(std::string_view what, int status) {
  say(fmt::format("tessera: {}\n", what));
  return status;
}

/// The status, unless what was printed did not arrive.
int flushed(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return complain("cannot write to standard output", failed);
}

int run(std::span<CommandEntry const> entries, int argc, char** argv) {
  CLI::App app{"Permeability and flow of porous images by the lattice Boltzmann method", "tessera"};
  app.set_version_flag("--version", fmt::format("tessera {} ({})", version, commit));
  app.require_subcommand(1);
  app.failure_message([](CLI::App const*, CLI::Error const& error) {
    return fmt::format("tessera: {} (see tessera --help)\n", error.what());
  });
  std::vector<std::pair<CLI::App*, Command>> commands;
  for (auto const& [name, description, add] : entries) {
    CLI::App* const command = app.add_subcommand(name, description);
    commands.emplace_back(command, add(*command));
  }
  try {
    app.parse(argc, argv);
    for (auto const& [command, run_it] : commands) {
      if (command->parsed()) return flushed(run_it());
    }
    return failed;
  } catch (CLI::ParseError const& error) {
    // What was not understood helps more than what is missing because of it.
    bool const words_left = dynamic_cast<CLI::RequiredError const*>(&error) != nullptr ||
                            dynamic_cast<CLI::ExtrasError const*>(&error) != nullptr;
    auto const unknown = words_left ? unknown_word(app) : std::nullopt;
    if (unknown) return complain(*unknown, bad_input);
    return app.exit(error) == 0 ? done : bad_input;
  }
}

}  // namespace

int run_program(std::span<CommandEntry const> commands, int argc, char** argv) {
  occupy_closed_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of writing
  try {
    return run(commands, argc, argv);
  } catch (BadInput const& error) {
    return complain(error.what(), bad_input);
  } catch (std::bad_alloc const&) {
    return complain("out of memory", failed);
  } catch (std::exception const& error) {
    return complain(error.what(), failed);
  }
}

}  // namespace tessera
