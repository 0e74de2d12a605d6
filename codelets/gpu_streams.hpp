// SPDX-License-Identifier: MIT
// Streams beside StarPU's, so that the tasks a GPU worker has in its pipeline run at the same time:
// while the last blocks of one tile are computed, the next tile fills the processors that are idle
// already. Tasks in the pipeline do not depend on each other, else StarPU would not have started
// them.
#pragma once

#include <cuda_runtime_api.h>

namespace tessera {

/// Creates the streams of all GPU workers. Call after StarPU has started. Throws EnvironmentError.
void create_gpu_streams();
/// Before StarPU is shut down.
void destroy_gpu_streams();

/// In a codelet: the work of one task, ordered before the end of what StarPU's stream shows.
class SideStream {
 public:
  /// Takes the next of the worker's streams.
  SideStream();
  /// StarPU's stream waits for what has been launched.
  ~SideStream();
  SideStream(SideStream const&) = delete;
  SideStream& operator=(SideStream const&) = delete;

  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_;
  cudaEvent_t done_;
};

}  // namespace tessera
