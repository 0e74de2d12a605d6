// SPDX-License-Identifier: MIT
// Kernels that run passes, each by the threads of one GPU.
#pragma once

#include <cooperative_groups.h>

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "methods/steady/four.hpp"
#include "methods/steady/sums.hpp"

namespace tessera::steady {

template <class Pass>
__global__ void __launch_bounds__(chunk_size)
    for_each_kernel(std::int64_t begin, std::int64_t end, Pass pass) {
  std::int64_t const i = begin + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < end) pass(i);
}

/// Adds the terms of a block's threads as tree_sum() does; the sum is in thread 0.
template <int V>
__device__ void add_in_block(Sums<V>& sums) {
  __shared__ double terms[V][chunk_size];
  int const t = static_cast<int>(threadIdx.x);
  for (int v = 0; v < V; ++v) terms[v][t] = sums.of[v];
  __syncthreads();
  for (int half = chunk_size / 2; half >= 32; half /= 2) {
    if (t < half) {
      for (int v = 0; v < V; ++v) terms[v][t] += terms[v][t + half];
    }
    __syncthreads();
  }
  if (t >= 32) return;
  for (int v = 0; v < V; ++v) {
    double sum = terms[v][t];
    for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(~0U, sum, half);
    sums.of[v] = sum;
  }
}

template <int V, class Pass>
__global__ void __launch_bounds__(chunk_size)
    sum_chunks_kernel(std::int64_t first, std::int64_t chunks, Pass pass, double* partial) {
  std::int64_t const chunk = first + blockIdx.x;
  Sums<V> sums = pass(chunk * chunk_size + threadIdx.x);
  add_in_block(sums);
  if (threadIdx.x == 0) {
    for (int v = 0; v < V; ++v) partial[v * chunks + chunk] = sums.of[v];
  }
}

template <int V, class Finish>
__global__ void __launch_bounds__(chunk_size)
    add_chunks_kernel(ChunkRange const* ranges, std::int64_t chunks, double const* partial,
                      Finish finish) {
  std::int64_t const group = blockIdx.x;
  ChunkRange const range = ranges != nullptr ? ranges[group] : ChunkRange{0, chunks};
  Sums<V> sums;
  for (int v = 0; v < V; ++v) {
    double strand = 0;
#pragma unroll 8
    for (std::int64_t c = range.first + threadIdx.x; c < range.last; c += chunk_size)
      strand += partial[v * chunks + c];
    sums.of[v] = strand;
  }
  add_in_block(sums);
  if (threadIdx.x == 0) finish(group, sums);
}

template <class Pass>
__global__ void __launch_bounds__(chunk_size) gather_chunks_kernel(std::int64_t first, Pass pass) {
  using Value = typename Pass::Value;
  __shared__ alignas(Value) unsigned char memory[chunk_size * sizeof(Value)];
  auto* const shared = reinterpret_cast<Value*>(memory);
  std::int64_t const chunk = first + blockIdx.x;
  shared[threadIdx.x] = pass.value(chunk * chunk_size + threadIdx.x);
  __syncthreads();
  pass.gather(chunk, static_cast<int>(threadIdx.x), shared);
}

template <class T>
__device__ T value_below(T value, int by, int lanes) {
  return __shfl_down_sync(~0U, value, by, lanes);
}
template <class T>
__device__ Four<T> value_below(Four<T> const& value, int by, int lanes) {
  return {value_below(value.s, by, lanes), value_below(value.x, by, lanes),
          value_below(value.y, by, lanes), value_below(value.z, by, lanes)};
}

inline constexpr int steps_threads = 1024;

/// A pass by all threads of a grid.
struct AddStrands {
  template <class Pass>
  TESSERA_HOST_DEVICE void operator()(std::int64_t count, Pass const& pass) const {
#ifdef __CUDA_ARCH__
    constexpr int lanes = Pass::lanes;
    constexpr int per_warp = 32 / lanes;
    int const lane = static_cast<int>(threadIdx.x) % lanes;
    int const row = static_cast<int>(threadIdx.x) % 32 / lanes;
    // Warp w of each block before warp w + 1 of any: few rows go to many processors.
    std::int64_t const warp = std::int64_t{threadIdx.x / 32} * gridDim.x + blockIdx.x;
    std::int64_t const warps = std::int64_t{gridDim.x} * (steps_threads / 32);
    for (std::int64_t first = warp * per_warp; first < count; first += warps * per_warp) {
      std::int64_t const i = first + row;
      typename Pass::Value sum{};
      if (i < count) sum = pass.strand(i, lane);
      for (int half = lanes / 2; half > 0; half /= 2) sum += value_below(sum, half, lanes);
      if (lane == 0 && i < count) pass.finish(i, sum);
    }
#endif
  }
};

/// All passes in one kernel: some hundred of them take less time each than a launch.
template <class Pass>
__global__ void __launch_bounds__(steps_threads, 1) run_steps_kernel(Pass const* steps, int count) {
  static_assert(sizeof(Pass) % 8 == 0 && sizeof(Pass) / 8 <= steps_threads);
  __shared__ alignas(16) std::uint64_t memory[2][sizeof(Pass) / 8];
  auto const fetch = [&](int step) {
    if (step < count && threadIdx.x < sizeof(Pass) / 8)
      memory[step % 2][threadIdx.x] =
          reinterpret_cast<std::uint64_t const*>(steps + step)[threadIdx.x];
  };
  fetch(0);
  __syncthreads();
  for (int step = 0; step < count; ++step) {
    fetch(step + 1);
    reinterpret_cast<Pass const*>(memory[step % 2])->with(AddStrands{});
    cooperative_groups::this_grid().sync();
  }
}

template <class T>
struct SetToZero {
  T* values = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const { values[i] = T{}; }
};
template <class T>
struct CopyValues {
  T const* from = nullptr;
  T* to = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const { to[i] = from[i]; }
};

}  // namespace tessera::steady
