// SPDX-License-Identifier: MIT
// A stream of the GPU, and a timer for the work on it.
#pragma once

#include <memory>
#include <type_traits>

#include "base/machine/cuda_call.hpp"

namespace tessera {

/// A stream that waits for, and is waited for by, the default stream.
class GpuStream {
 public:
  GpuStream() {
    cudaStream_t stream = nullptr;
    check_cuda(cudaStreamCreate(&stream), "creating a stream");
    stream_.reset(stream);
  }
  cudaStream_t get() const { return stream_.get(); }

 private:
  struct Destroy {
    void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> stream_;
};

/// Measures between two events on a stream.
class GpuTimer {
 public:
  GpuTimer() : begin_(make_event()), end_(make_event()) {}

  /// Seconds of what `work` launches on the stream; waits for its end.
  template <class Work>
  double seconds(cudaStream_t stream, Work&& work) {
    check_cuda(cudaEventRecord(begin_.get(), stream), "recording an event");
    work();
    check_cuda(cudaEventRecord(end_.get(), stream), "recording an event");
    check_cuda(cudaEventSynchronize(end_.get()), "running");
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "timing");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
  };
  using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy>;

  static Event make_event() {
    cudaEvent_t event = nullptr;
    check_cuda(cudaEventCreate(&event), "creating an event");
    return Event(event);
  }

  Event begin_;
  Event end_;
};

}  // namespace tessera
