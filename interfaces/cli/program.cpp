// SPDX-License-Identifier: MIT
#include "interfaces/cli/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/ranks/host_name.hpp"
#include "base/ranks/rank_watch.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/start_watch.hpp"
#include "base/ranks/together.hpp"
#include "graph/runtime/host_share.hpp"
#include "interfaces/cli/same_command.hpp"
#include "interfaces/cli/unknown_word.hpp"
#include "run/console/streams.hpp"
#include "tessera_version.hpp"

namespace tessera {
namespace {

/// How long ranks other than 0 leave the complaint about bad input to rank 0, which may have to
/// tidy up first. They speak after that: rank 0 may not have found the input bad.
constexpr std::chrono::seconds patience_alone{3};
constexpr std::chrono::seconds patience_of_all{120};

/// Writes one line and, if there are several processes, ends them all.
int complain(std::string_view what, int status, std::chrono::seconds patience = patience_alone) {
  bool const for_all = status == bad_input;
  if (for_all && !Ranks::is_root()) std::this_thread::sleep_for(patience);
  bool const unnamed = Ranks::alone() || (for_all && Ranks::is_root());
  std::string const who = unnamed ? "" : fmt::format("rank {}: ", Ranks::rank());
  say(fmt::format("tessera: {}{}\n", who, what));
  Ranks::abort(status);
  return status;
}

void say_nothing_to_standard_output() {
  std::fflush(stdout);
  int const nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  close(nowhere);
}

/// Starts MPI before anything else.
void start_ranks() {
  Ranks::start();
  if (Ranks::alone()) return;
  if (!Ranks::is_root()) say_nothing_to_standard_output();
  divide_hosts();
}

/// Flushes standard output; returns `status`, or `failed` if the output did not arrive.
int flushed(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return complain("cannot write to standard output", failed);
}

/// An option that was given an empty value, as by a shell's variable that is not set.
std::optional<std::string> option_without_value(CLI::App const& app) {
  for (CLI::Option const* const option : app.get_options()) {
    if (option->count() > 0 && std::ranges::count(option->results(), std::string()) > 0)
      return option->get_name();
  }
  for (CLI::App const* const command : app.get_subcommands()) {
    if (auto const name = option_without_value(*command)) return name;
  }
  return std::nullopt;
}

int run(std::span<CommandEntry const> entries, std::function<std::string()> const& versions,
        int argc, char** argv) {
  CLI::App app{"Permeability and flow of porous images by the lattice Boltzmann method", "tessera"};
  app.set_version_flag("--version", versions);
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Command>> commands;
  for (CommandEntry const& entry : entries) {
    CLI::App* const command = app.add_subcommand(entry.name, entry.description);
    Command const run_it = entry.add(*command);
    commands.emplace_back(command, [&entry, run_it] {
      if (!entry.takes_ranks) Ranks::expect_alone(entry.name);
      return run_it();
    });
  }
  try {
    app.parse(argc, argv);
    if (auto const empty = option_without_value(app)) {
      return complain(fmt::format("{}: expected a value, found an empty one", *empty), bad_input);
    }
    for (auto const& [command, run_it] : commands) {
      if (command->parsed()) return flushed(run_it());
    }
    return failed;
  } catch (CLI::ParseError const& error) {
    // An unknown word is reported first: it may be why something else is missing.
    bool const words_left = dynamic_cast<CLI::RequiredError const*>(&error) != nullptr ||
                            dynamic_cast<CLI::ExtrasError const*>(&error) != nullptr;
    auto const unknown = words_left ? unknown_word(app) : std::nullopt;
    if (unknown) return complain(*unknown, bad_input);
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return complain(fmt::format("{} (see tessera --help)", error.what()), bad_input);
  }
}

void cry(std::string const& line) { say(fmt::format("tessera: {}\n", line)); }

/// Seconds. A bad value is passed over here and refused after the start, when rank 0 can speak for
/// all.
double limit_of_start() {
  try {
    return RankWatch::limit_of_environment();
  } catch (BadInput const&) {
    return RankWatch::usual_limit;
  }
}

/// Runs the command under watches that end all processes if one of them falls silent.
int run_watched(std::span<CommandEntry const> entries, std::function<std::string()> const& versions,
                int argc, char** argv) {
  // Processes do not all start at the same moment.
  std::optional<StartWatch> start(std::in_place, 2 * limit_of_start(), "the others to start", cry);
  start_ranks();
  RankWatch const watch(RankWatch::limit_of_environment(),
                        Ranks::all_gather(fmt::format("rank {} ({})", Ranks::rank(), host_name())),
                        cry);
  start.reset();
  expect_same_command(std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
  return run(entries, versions, argc, argv);
}

void end_ranks() {
  StartWatch const watch(2 * limit_of_start(), "the others to end", cry);
  Ranks::end();
}

}  // namespace

int run_program(std::span<CommandEntry const> commands, int argc, char** argv,
                std::function<std::string()> versions) {
  if (!versions) versions = [] { return fmt::format("tessera {} ({})", version, commit); };
  occupy_closed_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of writing
  try {
    int const status = run_watched(commands, versions, argc, argv);
    end_ranks();
    return status;
  } catch (BadInputOfAll const& error) {
    return complain(error.what(), bad_input, patience_of_all);
  } catch (BadInput const& error) {
    return complain(error.what(), bad_input);
  } catch (std::bad_alloc const&) {
    return complain("out of memory", failed);
  } catch (std::filesystem::filesystem_error const& error) {
    return complain(fmt::format("{}: {}", error.path1().string(), error.code().message()), failed);
  } catch (std::exception const& error) {
    return complain(error.what(), failed);
  }
}

}  // namespace tessera
