// SPDX-License-Identifier: MIT
#include "codelets/codelet.hpp"
#include "codelets/gpu.hpp"
#include "codelets/node_state.hpp"

namespace tessera {
namespace {

constexpr unsigned threads = 128;

template <class Storage>
__global__ void __launch_bounds__(threads)
    snapshot(SnapshotArguments const arguments, Storage const* __restrict__ populations,
             NodeState* __restrict__ states) {
  std::uint32_t const n = blockIdx.x * threads + threadIdx.x;
  if (n < arguments.layout.slots)
    states[n] = node_state(populations + n, arguments.layout.pitch, arguments);
}

}  // namespace

void snapshot_on_gpu(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<SnapshotArguments const*>(argument);
  with_storage(arguments.precision, [&]<class Storage>() {
    snapshot<<<(arguments.layout.slots + threads - 1) / threads, threads, 0,
               starpu_cuda_get_local_stream()>>>(arguments, vector_data<Storage const>(buffers, 0),
                                                 vector_data<NodeState>(buffers, 1));
  });
  cudaError_t const status = cudaGetLastError();
  if (status != cudaSuccess) STARPU_CUDA_REPORT_ERROR(status);
}

}  // namespace tessera
