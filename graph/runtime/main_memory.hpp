// SPDX-License-Identifier: MIT
// How much main memory is left.
#pragma once

#include <cstddef>

namespace tessera {

/// Bytes that this process may still take without swapping: what the system calls available, and
/// not more than what the limits of its control group (a container, a batch job) leave. More than
/// any machine has where the system does not say.
std::size_t main_memory_available();

}  // namespace tessera
