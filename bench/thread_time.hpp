// SPDX-License-Identifier: MIT
// What threads of this process have taken of the cores.
#pragma once

#include <string_view>

namespace tessera {

/// CPU seconds of all threads of this name so far (Linux: /proc/self/task); 0 if there is none.
double cpu_seconds_of_threads(std::string_view name);

}  // namespace tessera
