// SPDX-License-Identifier: MIT
// Initialises GPUs in the background.
#pragma once

#include <thread>

namespace tessera {

/// Makes the contexts of the first `most` GPUs, or of all there are, side by side on threads of
/// their own: each takes some tenths of a second. Reports nothing where there is no GPU or it does
/// not start: the code that needs it will. All is done once the thread has been joined.
std::jthread start_gpus(int most);

}  // namespace tessera
