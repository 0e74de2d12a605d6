// SPDX-License-Identifier: MIT
// Streams beside StarPU's, so that the tasks a GPU worker has in its pipeline run at the same time:
// while the last blocks of one tile are computed, the next tile fills the processors that are idle
// already. Tasks in the pipeline do not depend on each other, else StarPU would not have started
// them.
#pragma once

#include <cuda_runtime_api.h>

namespace tessera {

/// Streams for the kernels of a step. The small kernels, which fill and empty the halo, run on a
/// stream of high priority: there they need not wait until another tile's step has started its last
/// block.
struct StepStreams {
  cudaStream_t halo = nullptr;  ///< what follows on it follows the step
  cudaStream_t bulk = nullptr;
  cudaEvent_t unpacked = nullptr;
  cudaEvent_t updated = nullptr;
};

/// Creates the streams of all GPU workers. Call after StarPU has started. Throws EnvironmentError.
void create_gpu_streams();
/// Destroys these streams. Call before StarPU is shut down.
void destroy_gpu_streams();

/// In a codelet: streams for the work of one task, for whose end StarPU's stream waits.
class SideStreams {
 public:
  /// Takes the next streams of the worker.
  SideStreams();
  /// Makes StarPU's stream wait for what has been launched.
  ~SideStreams();
  SideStreams(SideStreams const&) = delete;
  SideStreams& operator=(SideStreams const&) = delete;

  StepStreams const& get() const { return *streams_; }

 private:
  StepStreams const* streams_;
};

}  // namespace tessera
