// SPDX-License-Identifier: MIT
// A command of a program: it adds itself to the command line and returns its exit status when it is
// run.
#pragma once

#include <functional>

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace tessera {

enum ExitStatus : int { done = 0, failed = 1, bad_input = 2, not_converged = 3 };

/// What to run if the command is chosen.
using Command = std::function<int()>;

}  // namespace tessera
