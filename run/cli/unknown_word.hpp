// SPDX-License-Identifier: MIT
// What somebody meant who mistyped a command or an option.
#pragma once

#include <optional>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace tessera {

/// "'--tollerance' was not expected; did you mean '--tolerance'? (see tessera permeability
/// --help)", of the first word of the command line that was not understood, if there is one.
std::optional<std::string> unknown_word(CLI::App const& app);

}  // namespace tessera
