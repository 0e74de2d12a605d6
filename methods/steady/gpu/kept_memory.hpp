// SPDX-License-Identifier: MIT
// Memory that solvers on a GPU have freed, for the next ones: the system takes a millisecond to
// hand out memory or to take it back, and lets no kernel of any flow run meanwhile.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/machine/cuda_call.hpp"

namespace tessera::steady {

/// While an object exists, freed memory of the GPU stays with this process; after the last one it
/// goes back.
class KeptMemory {
 public:
  explicit KeptMemory(int gpu) : users_(users_of(gpu)) {
    check_cuda(cudaDeviceGetDefaultMemPool(&pool_, gpu), "looking for memory");
    auto all = std::numeric_limits<std::uint64_t>::max();
    check_cuda(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &all),
               "keeping memory");
    ++users_;
  }
  ~KeptMemory() {
    if (--users_ == 0) cudaMemPoolTrimTo(pool_, 0);
  }
  KeptMemory(KeptMemory const&) = delete;
  KeptMemory& operator=(KeptMemory const&) = delete;

 private:
  static std::atomic<int>& users_of(int gpu) {
    constexpr std::size_t most_gpus = 64;
    static std::array<std::atomic<int>, most_gpus> of_gpu{};
    return of_gpu.at(static_cast<std::size_t>(gpu));
  }

  cudaMemPool_t pool_ = nullptr;
  std::atomic<int>& users_;
};

}  // namespace tessera::steady
