// SPDX-License-Identifier: MIT
// The passes of one GPU, one after the other.
#pragma once

#include <memory>
#include <type_traits>

#include "base/machine/cuda_call.hpp"
#include "base/machine/current_gpu.hpp"

namespace tessera::steady {

/// A stream, and an event that records its progress.
class GpuStream {
 public:
  explicit GpuStream(int gpu) : gpu_(gpu) {
    CurrentGpu const current(gpu);
    cudaStream_t stream = nullptr;
    // The stream is not ordered with the default stream: other threads may have flows on this GPU.
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
    stream_.reset(stream);
    cudaEvent_t event = nullptr;
    check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync),
               "creating an event");
    event_.reset(event);
  }
  int gpu() const { return gpu_; }
  cudaStream_t get() const { return stream_.get(); }
  void note() { check_cuda(cudaEventRecord(event_.get(), get()), "noting how far it is"); }
  /// Blocks until all that was launched has ended; another thread may have the core meanwhile.
  void wait_for_end() {
    note();
    check_cuda(cudaEventSynchronize(event_.get()), "running");
  }
  void wait_for(GpuStream const& other) {
    check_cuda(cudaStreamWaitEvent(get(), other.event_.get()), "waiting for another one");
  }

 private:
  struct DestroyStream {
    void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
  };
  struct DestroyEvent {
    void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
  };
  int gpu_ = 0;
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream> stream_;
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent> event_;
};

}  // namespace tessera::steady
