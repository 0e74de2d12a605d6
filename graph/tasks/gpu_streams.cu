// SPDX-License-Identifier: MIT
#include <starpu.h>

#include <array>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "graph/tasks/gpu_call.hpp"
#include "graph/tasks/gpu_streams.hpp"

namespace tessera {
namespace {

/// As many as a pipeline may hold.
constexpr std::size_t most_in_pipeline = 4;

struct WorkerStreams {
  std::array<StepStreams, most_in_pipeline> streams{};
  std::size_t next = 0;
  cudaError_t status = cudaSuccess;  ///< of the creation
};

/// By worker; each is used by its worker alone.
std::vector<WorkerStreams>& all_streams() {
  static std::vector<WorkerStreams> all;
  return all;
}

WorkerStreams& own_streams() {
  return all_streams()[static_cast<std::size_t>(starpu_worker_get_id())];
}

/// A miss of the second-level cache fetches this many bytes, if the GPU follows the hint: a
/// population's neighbours are wanted next. 2 % faster than with the 64 of the driver
/// (docs/performance.md).
constexpr std::size_t fetched_at_once = 128;

void create_own(void*) {
  if (cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, fetched_at_once) != cudaSuccess)
    cudaGetLastError();  // then as before
  WorkerStreams& own = own_streams();
  auto const check = [&](cudaError_t status) {
    if (own.status == cudaSuccess) own.status = status;
  };
  int low = 0;
  int high = 0;
  check(cudaDeviceGetStreamPriorityRange(&low, &high));
  for (StepStreams& streams : own.streams) {
    check(cudaStreamCreateWithPriority(&streams.halo, cudaStreamNonBlocking, high));
    check(cudaStreamCreateWithPriority(&streams.bulk, cudaStreamNonBlocking, low));
    check(cudaEventCreateWithFlags(&streams.unpacked, cudaEventDisableTiming));
    check(cudaEventCreateWithFlags(&streams.updated, cudaEventDisableTiming));
  }
}

void destroy_own(void*) {
  for (StepStreams const& streams : own_streams().streams) {
    cudaEventDestroy(streams.unpacked);
    cudaEventDestroy(streams.updated);
    cudaStreamDestroy(streams.halo);
    cudaStreamDestroy(streams.bulk);
  }
}

}  // namespace

void create_gpu_streams() {
  if (starpu_cuda_worker_get_count() == 0) return;
  all_streams().assign(starpu_worker_get_count(), {});
  starpu_execute_on_each_worker(create_own, nullptr, STARPU_CUDA);
  for (WorkerStreams const& own : all_streams()) {
    if (own.status != cudaSuccess)
      throw EnvironmentError(std::string("GPU: no streams: ") + cudaGetErrorString(own.status));
  }
}

void destroy_gpu_streams() {
  if (all_streams().empty()) return;
  starpu_execute_on_each_worker(destroy_own, nullptr, STARPU_CUDA);
  all_streams().clear();
}

SideStreams::SideStreams() {
  WorkerStreams& own = own_streams();
  streams_ = &own.streams[own.next];
  own.next = (own.next + 1) % most_in_pipeline;
}

SideStreams::~SideStreams() {
  // The step has no more use for this event: the bulk stream has waited for it.
  check_gpu(cudaEventRecord(streams_->unpacked, streams_->halo));
  check_gpu(cudaStreamWaitEvent(starpu_cuda_get_local_stream(), streams_->unpacked, 0));
}

}  // namespace tessera
