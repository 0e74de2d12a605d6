// SPDX-License-Identifier: MIT
// Initialises the first GPU in the background.
#pragma once

#include <thread>

namespace tessera {

/// Makes the GPU's context, which takes up to a second, on a thread of its own. Reports nothing
/// where there is no GPU or it does not start: the code that needs it will. All is done once the
/// thread has been joined.
std::jthread start_gpu();

}  // namespace tessera
