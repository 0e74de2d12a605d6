// SPDX-License-Identifier: MIT
// Main memory that StarPU allocates for data of GPUs.
//
// CUDA allocates such memory at 2 GB/s, page by page, and copies wait for it meanwhile, up to a
// quarter of a second (H200, docs/performance.md): when tiles first leave a GPU for lack of memory,
// the GPU idles. Huge pages that several threads have touched are registered at 28 GB/s.
#pragma once

namespace tessera {

/// Makes StarPU allocate main memory in such huge pages if `for_gpus`, else by its own means again.
/// Call it before StarPU starts; the threads that touch pages run where the calling one may.
void make_host_memory_quickly(bool for_gpus);

}  // namespace tessera
