// SPDX-License-Identifier: MIT
#include "run/cli/unknown_word.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string_view>
#include <vector>

#include "io/nearest_word.hpp"

namespace tessera {
namespace {

/// Of a command and those below it that the line names: "generate", "spheres".
std::vector<CLI::App const*> commands_named(CLI::App const& app) {
  std::vector<CLI::App const*> commands{&app};
  while (!commands.back()->get_subcommands().empty())
    commands.push_back(commands.back()->get_subcommands().front());
  return commands;
}

/// The words that a command takes: options with their dashes, commands below it.
std::vector<std::string> words_of(CLI::App const& command) {
  std::vector<std::string> words;
  for (CLI::App const* below : command.get_subcommands(nullptr)) words.push_back(below->get_name());
  for (CLI::Option const* option : command.get_options()) {
    for (std::string const& name : option->get_lnames()) words.push_back("--" + name);
  }
  return words;
}

}  // namespace

std::optional<std::string> unknown_word(CLI::App const& app) {
  std::vector<std::string> const rest = app.remaining(true);
  if (rest.empty()) return std::nullopt;
  std::string const& word = rest.front();
  std::vector<CLI::App const*> const commands = commands_named(app);
  std::vector<std::string> const known = words_of(*commands.back());
  std::string path;
  for (CLI::App const* command : commands) path += (path.empty() ? "" : " ") + command->get_name();
  return fmt::format("'{}' was not expected{} (see {} --help)", word,
                     did_you_mean(word.substr(0, word.find('=')),
                                  std::vector<std::string_view>(known.begin(), known.end())),
                     path);
}

}  // namespace tessera
