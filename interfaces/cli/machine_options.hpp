// SPDX-License-Identifier: MIT
// The options of the machine, which all commands have whose flows are tasks on tiles.
#pragma once

#include <optional>
#include <string>

#include "case/file/case.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace tessera {

struct MachineOptions {
  std::optional<int> gpus{};
  std::optional<std::string> cores{};
  std::optional<std::string> balance{};
  std::optional<int> tiles{};
  std::optional<int> steps_per_sweep{};
  std::optional<std::string> scheduler{};
  std::string trace{};

  void add_to(CLI::App& command);
  /// Puts what is given in place of what a case file says. Throws BadInput.
  void override_in(Case::Run& run) const;
};

}  // namespace tessera
