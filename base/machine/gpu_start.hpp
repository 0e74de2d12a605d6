// SPDX-License-Identifier: MIT
// The first GPU made ready while something else is done; which one a thread uses.
#pragma once

#include <thread>

namespace tessera {

/// Makes the GPU's context, which takes up to a second, on a thread of its own; says nothing where
/// there is no GPU or it does not start: who needs it will. Nothing is left to do once the thread
/// has been joined.
std::jthread start_gpu();

/// Makes a GPU the current one of this thread. Throws EnvironmentError.
void make_gpu_current(int gpu);

}  // namespace tessera
