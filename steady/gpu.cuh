// SPDX-License-Identifier: MIT
// Passes on GPUs: what Cores is (steady/cores.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cub/device/device_scan.cuh>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "lattice/errors.hpp"
#include "machine/cuda_call.hpp"
#include "machine/current_gpu.hpp"
#include "machine/spread_memory.hpp"
#include "steady/gpu_kernels.cuh"
#include "steady/indices.hpp"
#include "steady/stokes.hpp"
#include "steady/sums.hpp"

namespace tessera::stokes {

/// One GPU, or several as if they were one: arrays over many nodes are spread, each GPU does the
/// passes of its range of them, all passes in their order. What is small stays on the first.
class Gpu : public OneProcess {
 public:
  static constexpr bool is_gpu = true;

  template <class T>
  class Array {
   public:
    Array() = default;
    T* get() const { return spread_.get() ? static_cast<T*>(spread_.get()) : own_.get(); }
    std::size_t size() const { return size_; }
    void keep(Indices const& /*own*/) const {}

   private:
    friend class Gpu;
    struct Free {
      void operator()(T* memory) const { cudaFree(memory); }
    };
    /// Of the GPU that is current; as it is.
    explicit Array(std::size_t size) : size_(size) {
      if (size == 0) return;
      void* memory = nullptr;
      check_cuda(cudaMalloc(&memory, size * sizeof(T)), "allocating memory");
      own_.reset(static_cast<T*>(memory));
    }
    Array(std::size_t size, std::span<int const> gpus)
        : size_(size), spread_(size * sizeof(T), gpus) {}

    std::size_t size_ = 0;
    std::unique_ptr<T, Free> own_;
    SpreadMemory spread_;
  };

  template <class T>
  class Input {
   public:
    Input(Gpu& gpu, T const* values, std::size_t size) : values_(gpu.unset_array<T>(size)) {
      gpu.upload(values_.get(), values, size);
    }
    T const* get() const { return values_.get(); }

   private:
    Array<T> values_;
  };

  template <class Pass>
  class Steps {
   public:
    Steps() = default;
    Steps(Gpu& gpu, std::vector<Pass> const& passes)
        : passes_(std::in_place, gpu, passes.data(), passes.size()),
          count_(static_cast<int>(passes.size())) {}
    Pass const* get() const { return passes_->get(); }
    int count() const { return count_; }

   private:
    std::optional<Input<Pass>> passes_;
    int count_ = 0;
  };

  /// Of each solver: its iterations as they were first launched.
  struct DestroyGraph {
    void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
  };
  using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyGraph>;
  using Graphs = std::array<Graph, 4>;

  explicit Gpu(StokesOptions const& options) : spread_above_(options.spread_above) {
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
      cudaGetLastError();
      throw EnvironmentError("no GPU was found");
    }
    int current = 0;
    check_cuda(cudaGetDevice(&current), "looking at it");
    numbers_ = options.gpus.empty() ? std::vector{current} : gpus_that_share(options.gpus);
    if (numbers_.size() > 1) share_memory(numbers_);
    for (int const number : numbers_) streams_.emplace_back(number);
    int processors = 0;
    check_cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, first()),
               "looking at it");
    processors_ = static_cast<unsigned>(processors);
  }

  int gpus() const { return static_cast<int>(numbers_.size()); }

  /// Zeroed values over as many nodes or rows (0: `size`), by which they are spread.
  template <class T>
  Array<T> array(std::size_t size, std::size_t rows = 0) {
    CurrentGpu const current(first());
    if (spreads(static_cast<std::int64_t>(rows == 0 ? size : rows)))
      return Array<T>(size, numbers_);
    Array<T> values = unset_array<T>(size);
    if (size > 0)
      check_cuda(cudaMemsetAsync(values.get(), 0, size * sizeof(T), stream()), "clearing memory");
    return values;
  }

  template <class Pass>
  void for_each(std::int64_t count, Pass const& pass) {
    if (count <= 0) return;
    auto const launch = [&pass](cudaStream_t stream, std::int64_t begin, std::int64_t end) {
      // Few rows: more, smaller blocks use more of the processors.
      unsigned const threads = end - begin < 65536 ? 64 : chunk_size;
      for_each_kernel<<<blocks(end - begin, threads), threads, 0, stream>>>(begin, end, pass);
    };
    if constexpr (requires { Pass::by_one_gpu; }) {
      by_first(count, launch);
    } else {
      by_all(count, 1, launch);
    }
  }
  template <class Pass>
  void run_steps(Steps<Pass> const& steps) {
    Pass const* passes = steps.get();
    int count = steps.count();
    void* arguments[] = {&passes, &count};
    CurrentGpu const current(first());
    check_cuda(cudaLaunchCooperativeKernel(run_steps_kernel<Pass>, dim3(processors_),
                                           dim3(steps_threads), arguments, 0, stream()),
               "launching small passes");
  }
  template <int V, class Pass>
  void sum_chunks(std::int64_t chunks, Pass const& pass, double* partial) {
    by_all(chunks, chunk_size, [&](cudaStream_t stream, std::int64_t begin, std::int64_t end) {
      sum_chunks_kernel<V><<<static_cast<unsigned>(end - begin), chunk_size, 0, stream>>>(
          begin, chunks, pass, partial);
    });
  }
  template <int V, class Finish>
  void add_chunks(std::int64_t groups, ChunkRange const* ranges, std::int64_t chunks,
                  double const* partial, Finish const& finish) {
    by_first(groups, [&](cudaStream_t stream, std::int64_t, std::int64_t) {
      add_chunks_kernel<V><<<static_cast<unsigned>(groups), chunk_size, 0, stream>>>(
          ranges, chunks, partial, finish);
    });
  }
  template <class Pass>
  void gather_chunks(std::int64_t chunks, Pass const& pass) {
    by_all(chunks, chunk_size, [&](cudaStream_t stream, std::int64_t begin, std::int64_t end) {
      gather_chunks_kernel<<<static_cast<unsigned>(end - begin), chunk_size, 0, stream>>>(begin,
                                                                                          pass);
    });
  }

  std::int64_t scan(std::int32_t* counts, std::int64_t size) {
    CurrentGpu const current(first());
    // One more than there are, so that the last one is the sum.
    auto const sums = unset_array<std::int32_t>(static_cast<std::size_t>(size) + 1);
    clear(counts + size, 1);
    std::size_t bytes = 0;
    check_cuda(
        cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts, sums.get(), size + 1, stream()),
        "scanning");
    auto const scratch = unset_array<std::byte>(bytes);
    check_cuda(
        cub::DeviceScan::ExclusiveSum(scratch.get(), bytes, counts, sums.get(), size + 1, stream()),
        "scanning");
    copy(counts, sums.get(), static_cast<std::size_t>(size) + 1);
    std::int32_t sum = 0;
    download(&sum, sums.get() + size, 1);
    return sum;
  }

  template <class T>
  void upload(T* to, T const* from, std::size_t size) {
    transfer(reinterpret_cast<char*>(to), reinterpret_cast<char const*>(from), size * sizeof(T), to,
             cudaMemcpyHostToDevice);
  }
  template <class T>
  void download(T* to, T const* from, std::size_t size) {
    transfer(reinterpret_cast<char*>(to), reinterpret_cast<char const*>(from), size * sizeof(T),
             from, cudaMemcpyDeviceToHost);
  }
  template <class T>
  void copy(T* to, T const* from, std::size_t size) {
    for_each(static_cast<std::int64_t>(size), CopyValues<T>{from, to});
  }
  template <class T>
  void clear(T* values, std::int64_t size) {
    for_each(size, SetToZero<T>{values});
  }

  /// Launches what `work` did when it was first called with the key: some hundred small kernels in
  /// one piece.
  template <class Work>
  void repeat(Graphs& graphs, int key, Work const& work) {
    Graph& graph = graphs[static_cast<std::size_t>(key)];
    CurrentGpu const current(first());
    if (graph == nullptr) {
      cudaGraph_t captured = nullptr;
      check_cuda(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal), "capturing");
      work();
      check_cuda(cudaStreamEndCapture(stream(), &captured), "capturing");
      cudaGraphExec_t made = nullptr;
      cudaError_t const status = cudaGraphInstantiate(&made, captured, 0);
      cudaGraphDestroy(captured);
      check_cuda(status, "making a graph");
      graph.reset(made);
    }
    check_cuda(cudaGraphLaunch(graph.get(), stream()), "launching an iteration");
  }

 private:
  /// Of one GPU, and an event that it has come so far.
  class Stream {
   public:
    explicit Stream(int gpu) : gpu_(gpu) {
      CurrentGpu const current(gpu);
      cudaStream_t stream = nullptr;
      // In no order with the default stream: other threads may have flows on this GPU.
      check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
      stream_.reset(stream);
      cudaEvent_t event = nullptr;
      check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
      event_.reset(event);
    }
    int gpu() const { return gpu_; }
    cudaStream_t get() const { return stream_.get(); }
    void note() { check_cuda(cudaEventRecord(event_.get(), get()), "noting how far it is"); }
    void wait_for(Stream const& other) {
      check_cuda(cudaStreamWaitEvent(get(), other.event_.get()), "waiting for another one");
    }

   private:
    struct DestroyStream {
      void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
    };
    struct DestroyEvent {
      void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
    };
    int gpu_ = 0;
    std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream> stream_;
    std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent> event_;
  };

  static unsigned blocks(std::int64_t count, unsigned threads) {
    return static_cast<unsigned>((count + threads - 1) / threads);
  }
  int first() const { return numbers_.front(); }
  cudaStream_t stream() const { return streams_.front().get(); }
  bool spreads(std::int64_t rows) const { return streams_.size() > 1 && rows >= spread_above_; }

  template <class T>
  Array<T> unset_array(std::size_t size) {
    CurrentGpu const current(first());
    return Array<T>(size);
  }

  /// launch(stream, begin, end) on the first GPU, for all.
  template <class Launch>
  void by_first(std::int64_t count, Launch const& launch) {
    CurrentGpu const current(first());
    launch(stream(), 0, count);
    check_cuda(cudaGetLastError(), "launching a pass");
  }
  /// On each GPU for its range of the units, of so many rows each. The first GPU's stream is the
  /// one that all order hangs on: the others begin after it and it goes on after them.
  template <class Launch>
  void by_all(std::int64_t count, std::int64_t rows_each, Launch const& launch) {
    if (!spreads(count * rows_each)) return by_first(count, launch);
    auto const parts = static_cast<std::int64_t>(streams_.size());
    // Whole chunks of rows: what a warp reads together lies together.
    std::int64_t const grain = chunk_size / rows_each;
    streams_.front().note();
    for (std::int64_t p = 0; p < parts; ++p) {
      std::int64_t const begin = count * p / parts / grain * grain;
      std::int64_t const end = p + 1 == parts ? count : count * (p + 1) / parts / grain * grain;
      Stream& own = streams_[static_cast<std::size_t>(p)];
      CurrentGpu const current(own.gpu());
      if (p > 0) own.wait_for(streams_.front());
      if (begin < end) launch(own.get(), begin, end);
      check_cuda(cudaGetLastError(), "launching a pass");
      if (p > 0) own.note();
    }
    for (std::size_t p = 1; p < streams_.size(); ++p) streams_.front().wait_for(streams_[p]);
  }

  /// `on_gpu`: whichever of the two it is.
  void transfer(char* to, char const* from, std::size_t bytes, void const* on_gpu,
                cudaMemcpyKind kind) {
    CurrentGpu const current(first());
    auto const* at = static_cast<char const*>(on_gpu);
    for (std::size_t done = 0; done < bytes;) {
      std::size_t const now = SpreadMemory::in_one_piece(at + done, bytes - done);
      check_cuda(cudaMemcpyAsync(to + done, from + done, now, kind, stream()), "copying");
      done += now;
    }
    check_cuda(cudaStreamSynchronize(stream()), "running");
  }

  std::vector<int> numbers_;
  std::int64_t spread_above_ = 0;
  std::vector<Stream> streams_;
  unsigned processors_ = 0;
};

}  // namespace tessera::stokes
