// SPDX-License-Identifier: MIT
#include <starpu.h>

#include <array>
#include <string>
#include <vector>

#include "codelets/gpu_streams.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

/// As many as a pipeline may hold.
constexpr std::size_t streams_per_worker = 4;

struct WorkerStreams {
  std::array<cudaStream_t, streams_per_worker> stream{};
  std::array<cudaEvent_t, streams_per_worker> done{};
  std::size_t next = 0;
  cudaError_t status = cudaSuccess;  ///< of the creation
};

/// By worker; each is used by its worker alone.
std::vector<WorkerStreams>& streams() {
  static std::vector<WorkerStreams> all;
  return all;
}

WorkerStreams& own_streams() { return streams()[static_cast<std::size_t>(starpu_worker_get_id())]; }

void create_own(void*) {
  WorkerStreams& own = own_streams();
  for (std::size_t i = 0; i < streams_per_worker && own.status == cudaSuccess; ++i) {
    own.status = cudaStreamCreateWithFlags(&own.stream[i], cudaStreamNonBlocking);
    if (own.status != cudaSuccess) break;
    own.status = cudaEventCreateWithFlags(&own.done[i], cudaEventDisableTiming);
  }
}

void destroy_own(void*) {
  for (cudaEvent_t event : own_streams().done) cudaEventDestroy(event);
  for (cudaStream_t stream : own_streams().stream) cudaStreamDestroy(stream);
}

}  // namespace

void create_gpu_streams() {
  if (starpu_cuda_worker_get_count() == 0) return;
  streams().assign(starpu_worker_get_count(), {});
  starpu_execute_on_each_worker(create_own, nullptr, STARPU_CUDA);
  for (WorkerStreams const& own : streams()) {
    if (own.status != cudaSuccess)
      throw EnvironmentError(std::string("GPU: no streams: ") + cudaGetErrorString(own.status));
  }
}

void destroy_gpu_streams() {
  if (starpu_cuda_worker_get_count() == 0 || streams().empty()) return;
  starpu_execute_on_each_worker(destroy_own, nullptr, STARPU_CUDA);
  streams().clear();
}

SideStream::SideStream() {
  WorkerStreams& own = own_streams();
  stream_ = own.stream[own.next];
  done_ = own.done[own.next];
  own.next = (own.next + 1) % streams_per_worker;
}

SideStream::~SideStream() {
  cudaError_t status = cudaEventRecord(done_, stream_);
  if (status == cudaSuccess) status = cudaStreamWaitEvent(starpu_cuda_get_local_stream(), done_, 0);
  if (status != cudaSuccess) STARPU_CUDA_REPORT_ERROR(status);
}

}  // namespace tessera
