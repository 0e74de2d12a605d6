// SPDX-License-Identifier: MIT
// Main memory that StarPU allocates for data of GPUs.
//
// CUDA makes such memory at 2 GB/s, page by page, and copies wait for it meanwhile, up to a quarter
// of a second (H200, docs/performance.md): when tiles first leave a GPU for want of room, the GPU
// stands still. Huge pages that several threads have touched are registered at 28 GB/s.
#pragma once

namespace tessera {

/// To be called before StarPU starts; the threads that touch pages run where the calling one may.
/// Not `for_gpus`: memory is StarPU's own again.
void make_host_memory_quickly(bool for_gpus);

}  // namespace tessera
