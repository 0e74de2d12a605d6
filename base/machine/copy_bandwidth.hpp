// SPDX-License-Identifier: MIT
// Bandwidth of copies in the memories of this machine, the upper limit of all that is bound by
// memory.
#pragma once

namespace tessera {

/// GB/s, read and written, of so many threads on nineteen arrays, past the cache: the best of
/// three.
double copy_on_cores(unsigned threads);

/// GB/s, read and written, of one GPU. Throws EnvironmentError, also in a build without CUDA. There
/// must be no Runtime, or the Runtime must outlive the call.
double copy_on_gpu();

}  // namespace tessera
