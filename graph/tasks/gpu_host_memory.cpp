// SPDX-License-Identifier: MIT
#include <cuda_runtime_api.h>
#include <sched.h>
#include <starpu.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

#include "graph/tasks/host_memory.hpp"

namespace tessera {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t small_page = 4096;
/// Below, CUDA's own way costs less than threads.
constexpr std::size_t large = 2 * huge_page;
constexpr std::size_t alignment = 64;
constexpr int most_threads = 16;

enum class From : std::uint8_t { pages, cuda };

struct HostMemory {
  cpu_set_t cpus{};  ///< of the thread that started StarPU: that of a GPU has one only
  std::mutex mutex;
  std::unordered_map<void*, From> pinned;  ///< what is not here is the C library's
};
HostMemory& host_memory() {
  static HostMemory memory;
  return memory;
}

/// Has the system give all pages, on several processors.
void touch(void* memory, std::size_t bytes) {
  cpu_set_t const& cpus = host_memory().cpus;
  auto const count = static_cast<std::size_t>(std::clamp(CPU_COUNT(&cpus), 1, most_threads));
  std::vector<std::jthread> team;
  team.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    team.emplace_back([=, &cpus] {
      sched_setaffinity(0, sizeof cpus, &cpus);
      std::size_t const pages = bytes / huge_page;
      auto* const begin = static_cast<char volatile*>(memory) + pages * t / count * huge_page;
      auto* const end = static_cast<char volatile*>(memory) + pages * (t + 1) / count * huge_page;
      for (auto* page = begin; page < end; page += small_page) *page = 0;
    });
  }
}

/// nullptr if it cannot be had.
void* registered_pages(std::size_t size) {
  std::size_t const bytes = (size + huge_page - 1) / huge_page * huge_page;
  void* const memory = std::aligned_alloc(huge_page, bytes);
  if (memory == nullptr) return nullptr;
  madvise(memory, bytes, MADV_HUGEPAGE);  // advice: may fail
  touch(memory, bytes);
  if (cudaHostRegister(memory, bytes, cudaHostRegisterPortable) == cudaSuccess) return memory;
  cudaGetLastError();
  std::free(memory);
  return nullptr;
}

void* memory_of_cuda(std::size_t size) {
  void* memory = nullptr;
  if (cudaHostAlloc(&memory, size, cudaHostAllocPortable) == cudaSuccess) return memory;
  cudaGetLastError();
  return nullptr;
}

int allocate(unsigned /*node*/, void** memory, std::size_t size, int flags) noexcept try {
  if ((static_cast<unsigned>(flags) & STARPU_MALLOC_PINNED) == 0)
    return posix_memalign(memory, alignment, size) == 0 ? 0 : -ENOMEM;
  From from = From::pages;
  *memory = size >= large ? registered_pages(size) : nullptr;
  if (*memory == nullptr) {
    from = From::cuda;
    *memory = memory_of_cuda(size);
  }
  if (*memory == nullptr) return -ENOMEM;
  HostMemory& own = host_memory();
  std::scoped_lock const lock(own.mutex);
  own.pinned.emplace(*memory, from);
  return 0;
} catch (std::exception const&) {  // no thread to be had
  return -ENOMEM;
}

int give_back(unsigned /*node*/, void* memory, std::size_t /*size*/, int /*flags*/) noexcept {
  HostMemory& own = host_memory();
  std::optional<From> from;
  {
    std::scoped_lock const lock(own.mutex);
    if (auto const found = own.pinned.extract(memory)) from = found.mapped();
  }
  if (from == From::cuda) {
    cudaFreeHost(memory);
    return 0;
  }
  if (from == From::pages) cudaHostUnregister(memory);
  std::free(memory);
  return 0;
}

}  // namespace

void make_host_memory_quickly(bool for_gpus) {
  if (!for_gpus) return starpu_malloc_set_hooks(nullptr, nullptr);
  sched_getaffinity(0, sizeof host_memory().cpus, &host_memory().cpus);
  starpu_malloc_set_hooks(allocate, give_back);
}

}  // namespace tessera
