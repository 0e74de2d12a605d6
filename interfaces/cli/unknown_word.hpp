// SPDX-License-Identifier: MIT
// What somebody meant who mistyped a command or an option.
#pragma once

#include <optional>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
class ParseError;
}  // namespace CLI

namespace tessera {

/// "'--tollerance' was not expected; did you mean '--tolerance'? (see tessera permeability
/// --help)", of the first word of the command line that was not understood, if there is one.
std::optional<std::string> unknown_word(CLI::App const& app);

/// What is wrong with words that were not understood, with the settings' names as the interface in
/// use has them.
std::string not_understood(CLI::App const& app, CLI::ParseError const& error);

}  // namespace tessera
