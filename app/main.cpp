// SPDX-License-Identifier: MIT
// The command `tessera`: chooses the command and turns errors into one line and an exit status.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <vector>

#include "app/commands.hpp"
#include "app/streams.hpp"
#include "app/unknown_word.hpp"
#include "bench/commands.hpp"
#include "insitu/crash_guard.hpp"
#include "lattice/errors.hpp"
#include "tessera_version.hpp"

namespace {

int complain(std::string_view what, int status) {
  tessera::say(fmt::format("tessera: {}\n", what));
  return status;
}

/// The status, unless what was printed did not arrive.
int flushed(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return complain("cannot write to standard output", tessera::failed);
}

/// Reads the command line and runs the command it names.
int run(int argc, char** argv) {
  CLI::App app{"Permeability and flow of porous images by the lattice Boltzmann method", "tessera"};
  app.set_version_flag("--version",
                       fmt::format("tessera {} ({})", tessera::version, tessera::commit));
  app.require_subcommand(1);
  app.failure_message([](CLI::App const*, CLI::Error const& error) {
    return fmt::format("tessera: {} (see tessera --help)\n", error.what());
  });

  using Add = tessera::Command (*)(CLI::App&);
  struct Entry {
    char const* name;
    char const* description;
    Add add;
  };
  Entry const entries[] = {
      {"permeability", "Permeability of an image along one axis or all",
       tessera::add_permeability_command},
      {"run", "The flow of a case file: geometry, fluid, boundary conditions, outputs",
       tessera::add_run_command},
      {"info", "What is in an image: labels, porosity, connectivity", tessera::add_info_command},
      {"generate", "Make an image: sphere arrays and packings, plates, ducts",
       tessera::add_generate_command},
      {"bench", "How fast the step runs, beside what the memory allows",
       tessera::add_bench_command},
      {"tune", "Find the best tiles for this machine, and keep them for later runs",
       tessera::add_tune_command}};
  std::vector<std::pair<CLI::App*, tessera::Command>> commands;
  for (auto const& [name, description, add] : entries) {
    CLI::App* const command = app.add_subcommand(name, description);
    commands.emplace_back(command, add(*command));
  }

  try {
    app.parse(argc, argv);
    for (auto const& [command, run] : commands) {
      if (command->parsed()) return flushed(run());
    }
    return tessera::failed;
  } catch (CLI::ParseError const& error) {
    // What was not understood helps more than what is missing because of it.
    bool const words_left = dynamic_cast<CLI::RequiredError const*>(&error) != nullptr ||
                            dynamic_cast<CLI::ExtrasError const*>(&error) != nullptr;
    auto const unknown = words_left ? tessera::unknown_word(app) : std::nullopt;
    if (unknown) return complain(*unknown, tessera::bad_input);
    return app.exit(error) == 0 ? tessera::done : tessera::bad_input;
  }
}

}  // namespace

int main(int argc, char** argv) {
  tessera::occupy_closed_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of writing
  int status = tessera::failed;
  try {
    status = run(argc, argv);
  } catch (tessera::BadInput const& error) {
    status = complain(error.what(), tessera::bad_input);
  } catch (std::bad_alloc const&) {
    status = complain("out of memory", tessera::failed);
  } catch (std::exception const& error) {
    status = complain(error.what(), tessera::failed);
  }
  tessera::leave(status);
}
