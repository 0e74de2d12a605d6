// SPDX-License-Identifier: MIT
// Warnings and what has been understood, on standard error.
#pragma once

#include "app/progress.hpp"

namespace tessera {

/// A pipe gets warnings only; a person what has been understood of the input as well.
void set_up_log(Verbosity verbosity);

}  // namespace tessera
