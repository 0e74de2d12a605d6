// SPDX-License-Identifier: MIT
#include "bench/literature/lattice/gpu_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/machine/gpu_copy.hpp"
#include "graph/runtime/cuda_version.hpp"
#include "interfaces/cli/command.hpp"
#include "io/atomic_file.hpp"

namespace tessera {
namespace {

/// What the GPU says of itself.
struct GpuFacts {
  std::string name;
  int multiprocessors = 0;
  double clock_mhz = 0;         ///< highest
  double memory_clock_mhz = 0;  ///< highest
  double peak_gbs = 0;          ///< bus width and memory clock
  std::size_t cache_bytes = 0;
  std::size_t free_bytes = 0;
  int driver = 0;
  int runtime = 0;
};

GpuFacts find_gpu() {
  int count = 0;
  if (cudaError_t const status = cudaGetDeviceCount(&count); status != cudaSuccess || count == 0) {
    cudaGetLastError();
    throw EnvironmentError(
        fmt::format("this measurement needs a GPU: {}",
                    status == cudaSuccess ? "there is none" : cudaGetErrorString(status)));
  }
  int device = 0;
  check_cuda(cudaGetDevice(&device), "asking for the device");
  auto const attribute = [device](cudaDeviceAttr which) {
    int value = 0;
    check_cuda(cudaDeviceGetAttribute(&value, which, device), "asking for an attribute");
    return value;
  };
  GpuFacts facts;
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, device), "asking for its name");
  facts.name = properties.name;
  facts.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  facts.clock_mhz = attribute(cudaDevAttrClockRate) * 1e-3;
  facts.memory_clock_mhz = attribute(cudaDevAttrMemoryClockRate) * 1e-3;
  // Two transfers a clock.
  facts.peak_gbs =
      2 * facts.memory_clock_mhz * 1e-3 * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  facts.cache_bytes = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize));
  std::size_t total = 0;
  check_cuda(cudaMemGetInfo(&facts.free_bytes, &total), "asking for its memory");
  check_cuda(cudaDriverGetVersion(&facts.driver), "asking for the driver");
  check_cuda(cudaRuntimeGetVersion(&facts.runtime), "asking for the runtime");
  return facts;
}

}  // namespace

GpuSession::GpuSession(std::string const& mode, GpuBenchOptions const& options,
                       std::size_t bytes_needed)
    : file_(options.json) {
  GpuFacts const gpu = find_gpu();
  cache_bytes_ = gpu.cache_bytes;
  std::size_t const needed = std::max(bytes_needed, GpuCopy::bytes_needed());
  if (needed > gpu.free_bytes) {
    throw BadInput(fmt::format("--size {}: this takes {:.1f} GB, and the GPU has {:.1f} GB free",
                               options.size, static_cast<double>(needed) * 1e-9,
                               static_cast<double>(gpu.free_bytes) * 1e-9));
  }
  copy_gbs_ = GpuCopy().run();
  fmt::print("{}, {} multiprocessors at up to {:.0f} MHz, L2 {:.0f} MB, driver {}, runtime {}\n",
             gpu.name, gpu.multiprocessors, gpu.clock_mhz,
             static_cast<double>(gpu.cache_bytes) / 1048576, version_text(gpu.driver),
             version_text(gpu.runtime));
  fmt::print("copy {:.0f} GB/s read and written ({:.0f} GB/s by bus and memory clock); {}, ",
             copy_gbs_, gpu.peak_gbs, mode);
  fmt::print("--size {}, median of {}\n", options.size, options.repeats);
  std::fflush(stdout);
  json_ = {{"mode", mode},
           {"gpu", gpu.name},
           {"multiprocessors", gpu.multiprocessors},
           {"clock_mhz", gpu.clock_mhz},
           {"memory_clock_mhz", gpu.memory_clock_mhz},
           {"l2_bytes", gpu.cache_bytes},
           {"driver", version_text(gpu.driver)},
           {"runtime", version_text(gpu.runtime)},
           {"copy_gbs", copy_gbs_},
           {"peak_gbs", gpu.peak_gbs},
           {"size", options.size},
           {"repeats", options.repeats},
           {"rows", nlohmann::ordered_json::array()}};
}

int GpuSession::finish() {
  if (!file_.empty()) write_whole_file(file_, json_.dump(2) + "\n");
  return done;
}

}  // namespace tessera
