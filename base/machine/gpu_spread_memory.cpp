// SPDX-License-Identifier: MIT
#include <cuda.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/machine/cuda_call.hpp"
#include "base/machine/current_gpu.hpp"
#include "base/machine/spread_memory.hpp"

namespace tessera {
namespace {

/// Calls of the driver by their names: programs are not linked to it, and start without one.
template <class Function>
Function* driver_call(char const* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  check_cuda(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result),
             name);
#else
  check_cuda(cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result), name);
#endif
  if (found == nullptr) throw EnvironmentError(std::string("GPU: the driver has no ") + name);
  return reinterpret_cast<Function*>(found);
}
#define TESSERA_DRIVER_CALL(name) driver_call<decltype(name)>(#name)

struct Driver {
  decltype(cuMemGetAllocationGranularity)* granularity =
      TESSERA_DRIVER_CALL(cuMemGetAllocationGranularity);
  decltype(cuMemAddressReserve)* reserve = TESSERA_DRIVER_CALL(cuMemAddressReserve);
  decltype(cuMemAddressFree)* free = TESSERA_DRIVER_CALL(cuMemAddressFree);
  decltype(cuMemCreate)* create = TESSERA_DRIVER_CALL(cuMemCreate);
  decltype(cuMemRelease)* release = TESSERA_DRIVER_CALL(cuMemRelease);
  decltype(cuMemMap)* map = TESSERA_DRIVER_CALL(cuMemMap);
  decltype(cuMemUnmap)* unmap = TESSERA_DRIVER_CALL(cuMemUnmap);
  decltype(cuMemSetAccess)* set_access = TESSERA_DRIVER_CALL(cuMemSetAccess);
};
#undef TESSERA_DRIVER_CALL

Driver const& driver() {
  static Driver const calls;
  return calls;
}

void check_driver(CUresult status, char const* doing) {
  if (status == CUDA_SUCCESS) return;
  throw EnvironmentError(std::string("GPU, ") + doing +
                         (status == CUDA_ERROR_OUT_OF_MEMORY
                              ? ": out of memory"
                              : ": error " + std::to_string(static_cast<int>(status))));
}

CUmemLocation on(int gpu) {
  CUmemLocation location{};
  location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  location.id = gpu;
  return location;
}

CUmemAllocationProp memory_of(int gpu) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = on(gpu);
  return properties;
}

void* pointer_to(CUdeviceptr address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr): the driver's way
}

std::set<int> each_once(std::span<int const> gpus) { return {gpus.begin(), gpus.end()}; }

bool reaches(int from, int to) {
  if (from == to) return true;
  int can = 0;
  if (cudaDeviceCanAccessPeer(&can, from, to) == cudaSuccess) return can != 0;
  cudaGetLastError();  // there is no such GPU
  return false;
}

/// Where each stretch ends, and where its pieces do, by the address of its beginning.
struct Stretches {
  std::mutex mutex;
  std::map<std::uintptr_t, std::vector<std::uintptr_t>> ends;
};
Stretches& stretches() {
  static Stretches all;
  return all;
}

}  // namespace

std::vector<int> gpus_that_share(std::span<int const> gpus) {
  std::vector<int> sharing;
  for (int const gpu : gpus) {
    if (std::ranges::all_of(sharing, [&](int s) { return reaches(s, gpu) && reaches(gpu, s); }))
      sharing.push_back(gpu);
  }
  return sharing;
}

void share_memory(std::span<int const> gpus) {
  for (int const gpu : each_once(gpus)) {
    CurrentGpu const current(gpu);
    for (int const other : each_once(gpus)) {
      if (other == gpu) continue;
      cudaError_t const status = cudaDeviceEnablePeerAccess(other, 0);
      if (status == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError();
      } else {
        check_cuda(status, "sharing its memory with another one");
      }
    }
  }
}

/// Owns the addresses and the memory behind them.
class SpreadMemory::Stretch {
 public:
  Stretch(std::size_t bytes, std::span<int const> gpus, ByteRange main,
          std::span<ByteRange const> beside)
      : gpus_(each_once(gpus)) {
    std::size_t page = 1;
    for (int const gpu : gpus_) {
      CUmemAllocationProp const properties = memory_of(gpu);
      std::size_t own = 0;
      check_driver(driver().granularity(&own, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
                   "looking at its memory");
      page = std::max(page, own);
    }
    size_ = (bytes + page - 1) / page * page;
    check_driver(driver().reserve(&begin_, size_, 0, 0, 0), "reserving addresses");
    try {
      std::vector<ByteRange> const runs = pages_of(main, beside, page);
      std::size_t begin = 0;
      for (std::size_t g = 0; g < gpus.size(); ++g) {
        std::size_t const share = (main.end - main.begin) * (g + 1) / gpus.size();
        std::size_t const end = g + 1 == gpus.size() ? size_ : (main.begin + share) / page * page;
        for (ByteRange const& run : runs)
          add_piece(std::max(run.begin, begin), std::min(run.end, end), gpus[g]);
        begin = end;
      }
      let_all_use_it();
    } catch (...) {
      give_back();
      throw;
    }
    note();
  }
  ~Stretch() {
    try {
      forget();
      // Unlike cudaFree(), unmapping waits for nobody.
      for (int const gpu : gpus_) {
        CurrentGpu const current(gpu);
        cudaDeviceSynchronize();
      }
      give_back();
      // NOLINTNEXTLINE(bugprone-empty-catch): a GPU that is lost has no use for it either
    } catch (std::exception const&) {
    }
  }
  Stretch(Stretch const&) = delete;
  Stretch& operator=(Stretch const&) = delete;

  void* begin() const { return pointer_to(begin_); }

 private:
  /// Runs of whole pages, in their order.
  static std::vector<ByteRange> pages_of(ByteRange main, std::span<ByteRange const> beside,
                                         std::size_t page) {
    std::vector<ByteRange> ranges(beside.begin(), beside.end());
    ranges.push_back(main);
    std::ranges::sort(ranges, {}, &ByteRange::begin);
    std::vector<ByteRange> runs;
    for (ByteRange range : ranges) {
      if (range.begin == range.end) continue;
      range = {range.begin / page * page, (range.end + page - 1) / page * page};
      if (runs.empty() || runs.back().end < range.begin) {
        runs.push_back(range);
      } else {
        runs.back().end = std::max(runs.back().end, range.end);
      }
    }
    return runs;
  }

  void add_piece(std::size_t begin, std::size_t end, int gpu) {
    if (begin >= end) return;
    std::size_t const size = end - begin;
    CUmemAllocationProp const properties = memory_of(gpu);
    CUmemGenericAllocationHandle memory = 0;
    check_driver(driver().create(&memory, size, &properties, 0), "allocating memory");
    CUresult const status = driver().map(begin_ + begin, size, 0, memory, 0);
    driver().release(memory);  // kept by what is mapped
    check_driver(status, "mapping memory");
    pieces_.push_back({gpu, begin, end});
  }

  void let_all_use_it() {
    std::vector<CUmemAccessDesc> access;
    access.reserve(gpus_.size());
    for (int const gpu : gpus_) access.push_back({on(gpu), CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
    for (Piece const& piece : pieces_) {
      check_driver(driver().set_access(begin_ + piece.begin, piece.end - piece.begin, access.data(),
                                       access.size()),
                   "sharing its memory with another one");
      CurrentGpu const current(piece.gpu);
      check_cuda(cudaMemset(pointer_to(begin_ + piece.begin), 0, piece.end - piece.begin),
                 "clearing memory");
      check_cuda(cudaDeviceSynchronize(), "clearing memory");
    }
  }

  void note() {
    std::vector<std::uintptr_t> ends;
    ends.reserve(pieces_.size());
    for (Piece const& piece : pieces_)
      ends.push_back(static_cast<std::uintptr_t>(begin_) + piece.end);
    std::scoped_lock const lock(stretches().mutex);
    stretches().ends.emplace(static_cast<std::uintptr_t>(begin_), std::move(ends));
  }

  void forget() const {
    std::scoped_lock const lock(stretches().mutex);
    stretches().ends.erase(static_cast<std::uintptr_t>(begin_));
  }

  void give_back() {
    for (Piece const& piece : pieces_)
      driver().unmap(begin_ + piece.begin, piece.end - piece.begin);
    driver().free(begin_, size_);
  }

  struct Piece {
    int gpu;
    std::size_t begin, end;
  };
  std::set<int> gpus_;
  std::size_t size_ = 0;
  CUdeviceptr begin_ = 0;
  std::vector<Piece> pieces_;
};

SpreadMemory::SpreadMemory(std::size_t bytes, std::span<int const> gpus, ByteRange main,
                           std::span<ByteRange const> beside)
    : stretch_(bytes == 0 ? nullptr : new Stretch(bytes, gpus, main, beside)) {}

void SpreadMemory::Destroy::operator()(Stretch* stretch) const { delete stretch; }

void* SpreadMemory::get() const { return stretch_ ? stretch_->begin() : nullptr; }

std::size_t SpreadMemory::in_one_piece(void const* from, std::size_t most) {
  auto const address = reinterpret_cast<std::uintptr_t>(from);
  std::scoped_lock const lock(stretches().mutex);
  auto const& all = stretches().ends;
  auto const behind = all.upper_bound(address);
  if (behind == all.begin()) return most;
  for (std::uintptr_t const end : std::prev(behind)->second) {
    if (address < end) return std::min<std::size_t>(most, end - address);
  }
  return most;
}

}  // namespace tessera
