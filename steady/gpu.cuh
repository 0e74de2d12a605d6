// SPDX-License-Identifier: MIT
// Passes on a GPU: what Cores is (steady/cores.hpp), on the GPU that is current.
#pragma once

#include <cooperative_groups.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <memory>
#include <type_traits>
#include <vector>

#include "lattice/errors.hpp"
#include "machine/cuda_call.hpp"
#include "machine/device_array.hpp"
#include "steady/four.hpp"
#include "steady/stokes.hpp"
#include "steady/sums.hpp"

namespace tessera::stokes {

template <class Pass>
__global__ void __launch_bounds__(chunk_size) for_each_kernel(std::int64_t count, Pass pass) {
  std::int64_t const i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) pass(i);
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
    sum_chunks_kernel(std::int64_t chunks, Pass pass, double* partial) {
  std::int64_t const chunk = blockIdx.x;
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
__global__ void __launch_bounds__(chunk_size) gather_chunks_kernel(Pass pass) {
  using Value = typename Pass::Value;
  __shared__ alignas(Value) unsigned char memory[chunk_size * sizeof(Value)];
  auto* const shared = reinterpret_cast<Value*>(memory);
  std::int64_t const chunk = blockIdx.x;
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

class Gpu {
 public:
  static constexpr bool is_gpu = true;

  template <class T>
  class Array {
   public:
    Array() : values_(0) {}
    explicit Array(std::size_t size) : values_(size) {}
    T* get() const { return values_.get(); }
    std::size_t size() const { return values_.size(); }

   private:
    DeviceArray<T> values_;
  };

  template <class T>
  class Input {
   public:
    Input(Gpu&, T const* values, std::size_t size) : values_(size) { values_.upload(values); }
    T const* get() const { return values_.get(); }

   private:
    DeviceArray<T> values_;
  };

  template <class Pass>
  class Steps {
   public:
    Steps() : passes_(0) {}
    explicit Steps(std::vector<Pass> const& passes) : passes_(passes.size()) {
      passes_.upload(passes.data());
    }
    Pass const* get() const { return passes_.get(); }
    int count() const { return static_cast<int>(passes_.size()); }

   private:
    DeviceArray<Pass> passes_;
  };

  /// Of each solver: its iterations as they were first launched.
  struct DestroyGraph {
    void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
  };
  using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyGraph>;
  using Graphs = std::array<Graph, 4>;

  explicit Gpu(StokesOptions const&) {
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
      cudaGetLastError();
      throw EnvironmentError("no GPU was found");
    }
    int gpu = 0;
    int processors = 0;
    check_cuda(cudaGetDevice(&gpu), "looking at it");
    check_cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, gpu),
               "looking at it");
    processors_ = static_cast<unsigned>(processors);
    cudaStream_t stream = nullptr;
    // Blocking: what DeviceArray does on the default stream is in order with the passes.
    check_cuda(cudaStreamCreate(&stream), "creating a stream");
    stream_.reset(stream);
  }

  template <class Pass>
  void for_each(std::int64_t count, Pass const& pass) {
    if (count <= 0) return;
    // Few rows: more, smaller blocks use more of the processors.
    unsigned const threads = count < 65536 ? 64 : chunk_size;
    for_each_kernel<<<blocks(count, threads), threads, 0, stream_.get()>>>(count, pass);
    check_cuda(cudaGetLastError(), "launching a pass");
  }
  template <class Pass>
  void run_steps(Steps<Pass> const& steps) {
    Pass const* passes = steps.get();
    int count = steps.count();
    void* arguments[] = {&passes, &count};
    check_cuda(cudaLaunchCooperativeKernel(run_steps_kernel<Pass>, dim3(processors_),
                                           dim3(steps_threads), arguments, 0, stream_.get()),
               "launching small passes");
  }
  template <int V, class Pass>
  void sum_chunks(std::int64_t chunks, Pass const& pass, double* partial) {
    sum_chunks_kernel<V>
        <<<static_cast<unsigned>(chunks), chunk_size, 0, stream_.get()>>>(chunks, pass, partial);
    check_cuda(cudaGetLastError(), "launching a pass");
  }
  template <int V, class Finish>
  void add_chunks(std::int64_t groups, ChunkRange const* ranges, std::int64_t chunks,
                  double const* partial, Finish const& finish) {
    add_chunks_kernel<V><<<static_cast<unsigned>(groups), chunk_size, 0, stream_.get()>>>(
        ranges, chunks, partial, finish);
    check_cuda(cudaGetLastError(), "launching a sum");
  }
  template <class Pass>
  void gather_chunks(std::int64_t chunks, Pass const& pass) {
    gather_chunks_kernel<<<static_cast<unsigned>(chunks), chunk_size, 0, stream_.get()>>>(pass);
    check_cuda(cudaGetLastError(), "launching a pass");
  }

  std::int64_t scan(std::int32_t* counts, std::int64_t size) {
    // One more than there are, so that the last one is the sum.
    DeviceArray<std::int32_t> sums(static_cast<std::size_t>(size) + 1);
    check_cuda(cudaMemsetAsync(counts + size, 0, sizeof(std::int32_t), stream_.get()), "clearing");
    std::size_t bytes = 0;
    check_cuda(
        cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts, sums.get(), size + 1, stream_.get()),
        "scanning");
    DeviceArray<std::byte> scratch(bytes);
    check_cuda(cub::DeviceScan::ExclusiveSum(scratch.get(), bytes, counts, sums.get(), size + 1,
                                             stream_.get()),
               "scanning");
    copy(counts, sums.get(), static_cast<std::size_t>(size) + 1);
    return sums.value(static_cast<std::size_t>(size));
  }

  template <class T>
  void upload(T* to, T const* from, std::size_t size) {
    transfer(to, from, size, cudaMemcpyHostToDevice);
  }
  template <class T>
  void download(T* to, T const* from, std::size_t size) {
    transfer(to, from, size, cudaMemcpyDeviceToHost);
  }
  template <class T>
  void copy(T* to, T const* from, std::size_t size) {
    if (size > 0)
      check_cuda(
          cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDeviceToDevice, stream_.get()),
          "copying");
  }
  template <class T>
  void clear(T* values, std::size_t size) {
    if (size > 0)
      check_cuda(cudaMemsetAsync(values, 0, size * sizeof(T), stream_.get()), "clearing");
  }

  /// Launches what `work` did when it was first called with the key: some hundred small kernels in
  /// one piece.
  template <class Work>
  void repeat(Graphs& graphs, int key, Work const& work) {
    Graph& graph = graphs[static_cast<std::size_t>(key)];
    if (graph == nullptr) {
      cudaGraph_t captured = nullptr;
      check_cuda(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal),
                 "capturing");
      work();
      check_cuda(cudaStreamEndCapture(stream_.get(), &captured), "capturing");
      cudaGraphExec_t made = nullptr;
      cudaError_t const status = cudaGraphInstantiate(&made, captured, 0);
      cudaGraphDestroy(captured);
      check_cuda(status, "making a graph");
      graph.reset(made);
    }
    check_cuda(cudaGraphLaunch(graph.get(), stream_.get()), "launching an iteration");
  }

 private:
  struct DestroyStream {
    void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
  };

  static unsigned blocks(std::int64_t count, unsigned threads) {
    return static_cast<unsigned>((count + threads - 1) / threads);
  }
  template <class T>
  void transfer(T* to, T const* from, std::size_t size, cudaMemcpyKind kind) {
    if (size == 0) return;
    check_cuda(cudaMemcpyAsync(to, from, size * sizeof(T), kind, stream_.get()), "copying");
    check_cuda(cudaStreamSynchronize(stream_.get()), "running");
  }

  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream> stream_;
  unsigned processors_ = 0;
};

}  // namespace tessera::stokes
