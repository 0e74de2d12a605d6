// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "base/machine/gpu_copy.hpp"

namespace tessera {
namespace {

constexpr int threads = 256;
constexpr int most_per_thread = 8;
constexpr std::size_t piece = std::size_t{threads} * most_per_thread;  // of the largest block
enum Way : int { one_each, two_each, four_each, eight_each, by_runtime, ways };

/// Whole pieces, at least one: so no kernel needs to look where the array ends.
std::size_t values_for(std::size_t bytes) {
  return std::max<std::size_t>(1, bytes / (piece * sizeof(uint4))) * piece;
}

/// Launch: <<<count / (threads * per_thread), threads>>>.
template <int per_thread>
__global__ void __launch_bounds__(threads)
    copy_values(uint4 const* __restrict__ from, uint4* __restrict__ to) {
  std::size_t const first = std::size_t{blockIdx.x} * (threads * per_thread) + threadIdx.x;
  uint4 value[per_thread];
#pragma unroll
  for (int k = 0; k < per_thread; ++k) value[k] = from[first + k * threads];
#pragma unroll
  for (int k = 0; k < per_thread; ++k) to[first + k * threads] = value[k];
}

template <int per_thread>
void launch_copy(uint4 const* from, uint4* to, std::size_t count, cudaStream_t stream) {
  auto const blocks = static_cast<unsigned>(count / (threads * per_thread));
  copy_values<per_thread><<<blocks, threads, 0, stream>>>(from, to);
  check_cuda(cudaGetLastError(), "launching a copy");
}

__device__ uint4 pattern(std::size_t i) {
  auto const low = static_cast<unsigned>(i);
  return {low, ~low, low * 2654435761U, 1U};
}

/// Launch: <<<count / threads, threads>>>, as the next one.
__global__ void write_pattern(uint4* to) {
  std::size_t const i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  to[i] = pattern(i);
}

__global__ void count_differences(uint4 const* values, unsigned long long* differences) {
  std::size_t const i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  uint4 const a = values[i];
  uint4 const b = pattern(i);
  if (a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w) atomicAdd(differences, 1ULL);
}

}  // namespace

std::size_t GpuCopy::bytes_needed(std::size_t bytes) {
  return 2 * values_for(bytes) * sizeof(uint4);
}

GpuCopy::GpuCopy(std::size_t bytes) : from_(values_for(bytes)), to_(values_for(bytes)) {
  auto const blocks = static_cast<unsigned>(from_.size() / threads);
  write_pattern<<<blocks, threads, 0, stream_.get()>>>(from_.get());
  check_cuda(cudaGetLastError(), "launching a kernel");
  for (int way = 0; way < ways; ++way) check(way);
}

void GpuCopy::copy(int way) {
  uint4 const* const from = from_.get();
  uint4* const to = to_.get();
  std::size_t const count = from_.size();
  switch (way) {
    case one_each:
      return launch_copy<1>(from, to, count, stream_.get());
    case two_each:
      return launch_copy<2>(from, to, count, stream_.get());
    case four_each:
      return launch_copy<4>(from, to, count, stream_.get());
    case eight_each:
      return launch_copy<most_per_thread>(from, to, count, stream_.get());
    default:
      return check_cuda(
          cudaMemcpyAsync(to, from, from_.bytes(), cudaMemcpyDeviceToDevice, stream_.get()),
          "copying");
  }
}

void GpuCopy::check(int way) {
  to_.clear();
  copy(way);
  DeviceArray<unsigned long long> differences(1);
  auto const blocks = static_cast<unsigned>(to_.size() / threads);
  count_differences<<<blocks, threads, 0, stream_.get()>>>(to_.get(), differences.get());
  check_cuda(cudaGetLastError(), "launching a kernel");
  if (differences.value(0) != 0)
    throw EnvironmentError("GPU, copying: way " + std::to_string(way) + " does not copy");
}

double GpuCopy::run() {
  constexpr int rounds = 3;
  constexpr int copies = 20;
  double best = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int way = 0; way < ways; ++way) {
      double const seconds = timer_.seconds(stream_.get(), [&] {
        for (int i = 0; i < copies; ++i) copy(way);
      });
      best = std::max(best, 2.0 * copies * static_cast<double>(from_.bytes()) / seconds * 1e-9);
    }
  }
  return best;
}

}  // namespace tessera
