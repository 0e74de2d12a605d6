// SPDX-License-Identifier: MIT
// `tessera run` of a case of spectral differences.
#include <fmt/format.h>

#include <utility>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "case/spectral/gas_in_situ.hpp"
#include "case/spectral/gas_job.hpp"
#include "interfaces/cli/command.hpp"
#include "interfaces/commands/case_command.hpp"
#include "interfaces/commands/run_options.hpp"
#include "run/insitu/in_situ.hpp"

namespace tessera {

int run_case_of_gas(GasCase const& c, RunOptions const& options) {
  if (options.machine.steps_per_sweep)
    throw BadInput(setting_name("steps-per-sweep") + ": expected a case of a lattice");
  GasSetup const setup = set_up(c);
  InSituOptions in_situ = in_situ_options(c);
  check_in_situ(in_situ);
  if (options.check) {
    check_initial_state(c, setup);
    fmt::print("{}{:<12}{} in {} elements\n", describe(c), "points", setup.of.mesh.points(),
               setup.of.mesh.elements());
    return done;
  }
  return run_by<GasJob>(c, setup, std::move(in_situ), options);
}

}  // namespace tessera
