// SPDX-License-Identifier: MIT
#include "interfaces/cli/unknown_word.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "base/settings.hpp"
#include "io/nearest_word.hpp"

namespace tessera {
namespace {

/// The program and the commands that the line names, outermost first: "generate", "spheres".
std::vector<CLI::App const*> commands_named(CLI::App const& app) {
  std::vector<CLI::App const*> commands{&app};
  while (!commands.back()->get_subcommands().empty())
    commands.push_back(commands.back()->get_subcommands().front());
  return commands;
}

/// A word as the interface in use has it: an option's name, or a command as it is.
std::string as_setting(std::string_view word) {
  return word.starts_with("--") ? setting_name(word.substr(2)) : std::string(word);
}

/// The words that a command takes: names of options, commands below it.
std::vector<std::string> words_of(CLI::App const& command) {
  std::vector<std::string> words;
  for (CLI::App const* below : command.get_subcommands(nullptr)) words.push_back(below->get_name());
  for (CLI::Option const* option : command.get_options()) {
    for (std::string const& name : option->get_lnames()) words.push_back(setting_name(name));
  }
  return words;
}

std::string replaced(std::string text, std::string const& word, std::string const& by) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

}  // namespace

std::optional<std::string> unknown_word(CLI::App const& app) {
  std::vector<std::string> const rest = app.remaining(true);
  if (rest.empty()) return std::nullopt;
  std::string const& word = rest.front();
  std::vector<CLI::App const*> const commands = commands_named(app);
  std::vector<std::string> const known = words_of(*commands.back());
  std::string const near = did_you_mean(as_setting(word.substr(0, word.find('='))),
                                        std::vector<std::string_view>(known.begin(), known.end()));
  if (!settings_are_options())
    return fmt::format("'{}' was not expected{}", as_setting(word), near);
  std::string path;
  for (CLI::App const* command : commands) path += (path.empty() ? "" : " ") + command->get_name();
  return fmt::format("'{}' was not expected{} (see {} --help)", word, near, path);
}

std::string not_understood(CLI::App const& app, CLI::ParseError const& error) {
  if (auto const unknown = unknown_word(app)) return *unknown;
  std::string text = error.what();
  for (CLI::Option const* option : commands_named(app).back()->get_options()) {
    for (std::string const& name : option->get_lnames())
      text = replaced(std::move(text), fmt::format("--{}", name), setting_name(name));
  }
  return text;
}

}  // namespace tessera
