// SPDX-License-Identifier: MIT
// What `tessera run` is asked on the command line, for cases of any method.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case/file/gas_case.hpp"
#include "interfaces/cli/machine_options.hpp"

namespace tessera {

struct RunOptions {
  std::string file;
  std::string out;
  std::vector<std::string> set;
  std::optional<double> checkpoint_minutes;
  bool resume = false;
  bool check = false;
  bool schema = false;
  bool quiet = false;
  MachineOptions machine;
};

/// Runs a case of spectral differences, or checks it; returns the exit status.
int run_case_of_gas(GasCase const& c, RunOptions const& options);

}  // namespace tessera
