// SPDX-License-Identifier: MIT
// Upper limit of the speed of a bandwidth-bound step on a GPU: copying its memory as fast as
// possible.
#pragma once

#include <cstddef>

#include "base/machine/device_array.hpp"
#include "base/machine/gpu_timer.hpp"

namespace tessera {

/// Two arrays on the GPU, by default far larger than its L2 cache, and several ways to copy one to
/// the other: kernels in pieces of 16 bytes, one to eight a thread, and cudaMemcpyAsync. The
/// constructor checks that all ways copy correctly. For its lifetime see DeviceArray.
class GpuCopy {
 public:
  explicit GpuCopy(std::size_t bytes = std::size_t{1} << 30);
  /// Copies some dozens of times in each way; returns GB/s of the fastest, read and written.
  double run();
  /// Bytes of the GPU's memory that an object takes.
  static std::size_t bytes_needed(std::size_t bytes = std::size_t{1} << 30);

 private:
  void copy(int way);
  void check(int way);

  DeviceArray<uint4> from_;
  DeviceArray<uint4> to_;
  GpuStream stream_;
  GpuTimer timer_;
};

}  // namespace tessera
