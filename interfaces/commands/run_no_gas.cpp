// SPDX-License-Identifier: MIT
// Stands in for run_gas.cpp in a build without gases (TESSERA_GASES=OFF).
#include "base/errors.hpp"
#include "interfaces/commands/run_options.hpp"

namespace tessera {

int run_case_of_gas(GasCase const& /*c*/, RunOptions const& options) {
  throw BadInput(options.file +
                 ": a gas, and this program was built without gases, as make demo does to be "
                 "short: expected one "
                 "that make has built");
}

}  // namespace tessera
