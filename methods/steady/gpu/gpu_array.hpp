// SPDX-License-Identifier: MIT
// Memory of a machine of GPUs, and main memory for exchanges with other processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/machine/cuda_call.hpp"
#include "base/machine/spread_memory.hpp"
#include "base/ranks/halo.hpp"
#include "methods/steady/indices.hpp"

namespace tessera::steady {

/// Values on the GPU that is current, as they are, or spread over several, zeroed.
template <class T>
class GpuArray {
 public:
  GpuArray() = default;
  /// In the order of the stream, which must outlive it: for one GPU.
  GpuArray(std::size_t size, cudaStream_t stream)
      : size_(size), own_(nullptr, Free{.stream = stream}) {
    if (size == 0) return;
    void* memory = nullptr;
    check_cuda(cudaMallocAsync(&memory, size * sizeof(T), stream), "allocating memory");
    own_.reset(static_cast<T*>(memory));
  }
  /// Memory on the current one of `gpus`, which the others may access, too; the numbers must
  /// outlive it.
  struct Shared {
    std::span<int const> gpus;
  };
  GpuArray(std::size_t size, Shared const& shared)
      : size_(size), own_(nullptr, Free{.readers = shared.gpus}) {
    if (size == 0) return;
    void* memory = nullptr;
    check_cuda(cudaMalloc(&memory, size * sizeof(T)), "allocating memory");
    own_.reset(static_cast<T*>(memory));
  }
  GpuArray(std::size_t size, std::span<int const> gpus)
      : size_(size), spread_(size * sizeof(T), gpus) {}
  /// The own values, and those that the halos `beside` add; there is no memory for others.
  GpuArray(Indices const& own, std::span<int const> gpus, std::initializer_list<Halo const*> beside)
      : size_(static_cast<std::size_t>(own.count)) {
    std::vector<ByteRange> pages;
    for (Halo const* halo : beside) {
      for (std::int64_t const i : halo->receives().indices) {
        std::size_t const begin = static_cast<std::size_t>(i) * sizeof(T);
        if (pages.empty() || begin < pages.back().begin || begin >= pages.back().end)
          pages.push_back({begin / page * page, begin / page * page + page});
      }
    }
    spread_ = SpreadMemory(size_ * sizeof(T), gpus,
                           {static_cast<std::size_t>(own.begin) * sizeof(T),
                            static_cast<std::size_t>(own.end) * sizeof(T)},
                           pages);
  }

  T* get() const { return spread_.get() ? static_cast<T*>(spread_.get()) : own_.get(); }
  std::size_t size() const { return size_; }
  void keep(Indices const& /*own*/) const {}

 private:
  static constexpr std::size_t page = std::size_t{2} << 20;  // a multiple of a value

  struct Free {
    std::optional<cudaStream_t> stream{};  ///< that it was allocated in the order of
    std::span<int const> readers{};        ///< GPUs that may still read it
    void operator()(T* memory) const {
      if (stream) {
        cudaFreeAsync(memory, *stream);
        return;
      }
      // cudaFree() waits for the GPU that the memory is on, not for others.
      int current = 0;
      cudaGetDevice(&current);
      for (int const gpu : readers) {
        cudaSetDevice(gpu);
        cudaDeviceSynchronize();
      }
      cudaSetDevice(current);
      cudaFree(memory);
    }
  };
  std::size_t size_ = 0;
  std::unique_ptr<T, Free> own_;
  SpreadMemory spread_;
};

/// Main memory that GPUs read and write, too; it grows.
class PinnedMemory {
 public:
  std::size_t size() const { return size_; }
  /// Returns `bytes` of memory. The old content is lost; no GPU may use it.
  std::byte* room(std::size_t bytes) {
    if (bytes > size_) {
      memory_.reset();
      void* memory = nullptr;
      check_cuda(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable), "allocating main memory");
      memory_.reset(static_cast<std::byte*>(memory));
      size_ = bytes;
    }
    return memory_.get();
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const { cudaFreeHost(memory); }
  };
  std::size_t size_ = 0;
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace tessera::steady
