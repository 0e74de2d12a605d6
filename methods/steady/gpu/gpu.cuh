// SPDX-License-Identifier: MIT
// Passes on GPUs: the Machine whose interface is that of Cores (methods/steady/cores.hpp).
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

#include "base/errors.hpp"
#include "base/machine/cuda_call.hpp"
#include "base/machine/current_gpu.hpp"
#include "base/machine/spread_memory.hpp"
#include "base/ranks/value_size.hpp"
#include "methods/steady/gpu/gpu_array.hpp"
#include "methods/steady/gpu/gpu_halo.hpp"
#include "methods/steady/gpu/gpu_kernels.cuh"
#include "methods/steady/gpu/gpu_stream.hpp"
#include "methods/steady/gpu/kept_memory.hpp"
#include "methods/steady/indices.hpp"
#include "methods/steady/of_ranks.hpp"
#include "methods/steady/steady_options.hpp"
#include "methods/steady/sums.hpp"

namespace tessera::steady {

/// One GPU of this process, or several as if they were one: arrays over many nodes are spread, each
/// GPU does the passes of its range, all passes in their order. Small arrays stay on the first GPU.
/// Each of several processes does its range of the indices; halo exchanges and gathers between them
/// go through main memory.
class Gpu : public OfRanks {
 public:
  static constexpr bool is_gpu = true;

  template <class T>
  using Array = GpuArray<T>;
  using Halo = GpuHalo;

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
          count_(static_cast<int>(passes.size())) {
      std::int64_t most = 1;
      for (Pass const& step : passes) {
        step.with([&most]<class Kind>(std::int64_t count, Kind const&) {
          most = std::max(most, count * Kind::lanes);
        });
      }
      blocks_ = static_cast<unsigned>(
          std::min<std::int64_t>((most + steps_threads - 1) / steps_threads, gpu.processors_));
    }
    Pass const* get() const { return passes_->get(); }
    int count() const { return count_; }
    /// Blocks of threads: no more than have work, so that other flows find room beside it.
    unsigned blocks() const { return blocks_; }

   private:
    std::optional<Input<Pass>> passes_;
    int count_ = 0;
    unsigned blocks_ = 1;
  };

  /// CUDA graphs of each solver: its iterations as they were first launched.
  struct DestroyGraph {
    void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
  };
  using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyGraph>;
  using Graphs = std::array<Graph, 4>;

  explicit Gpu(SteadyOptions const& options)
      : spread_above_(options.spread_above), yields_(options.yields) {
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
      cudaGetLastError();
      throw EnvironmentError("no GPU was found");
    }
    int current = 0;
    check_cuda(cudaGetDevice(&current), "looking at it");
    numbers_ = options.gpus.empty() ? std::vector{current} : gpus_that_share(options.gpus);
    // Where other processes compute on the other GPUs, this one must allocate nothing there.
    if (!alone()) check_cuda(cudaSetDevice(first()), "changing to another one");
    if (numbers_.size() > 1) share_memory(numbers_);
    for (int const number : numbers_) streams_.emplace_back(number);
    if (numbers_.size() == 1) kept_.emplace(first());
    int processors = 0;
    check_cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, first()),
               "looking at it");
    processors_ = static_cast<unsigned>(std::max(processors / (1 + options.flows_beside), 1));
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

  /// Zeroed values of which this process needs the own ones, of so many rows (0: as many), and
  /// those that halos add.
  template <class T>
  Array<T> array_of(Indices const& own, std::size_t rows = 0,
                    std::initializer_list<tessera::Halo const*> beside = {}) {
    if (!own.shared) return array<T>(static_cast<std::size_t>(own.count), rows);
    CurrentGpu const current(first());
    bool const spread = spreads(rows == 0 ? own.count : static_cast<std::int64_t>(rows));
    return Array<T>(own, std::span(numbers_).first(spread ? numbers_.size() : 1), beside);
  }

  /// `wanted`: the receive list, by rank.
  Halo halo(std::vector<std::vector<std::int64_t>> const& wanted) {
    Halo halo(wanted);
    auto const there = [this](tessera::Halo::List const& list) {
      auto indices = unset_array<std::int64_t>(list.indices.size());
      upload(indices.get(), list.indices.data(), list.indices.size());
      return indices;
    };
    halo.receives_there = there(halo.receives());
    halo.sends_there = there(halo.sends());
    return halo;
  }
  /// Halo exchange of an array, or of two.
  template <class T>
  void refresh(Halo const& halo, T* values) {
    if (!alone()) messages().exchange(std::array{halo_part(halo, values)}, HaloArrays{*this});
  }
  /// Halo exchange of two arrays; the values of the first one are not smaller.
  template <class T, class U>
  void refresh(Halo const& halo, T* values, Halo const& other_halo, U* others) {
    static_assert(sizeof(T) >= sizeof(U));
    if (!alone())
      messages().exchange(std::array{halo_part(halo, values), halo_part(other_halo, others)},
                          HaloArrays{*this});
  }
  /// All-gather of an array, or of several, one behind the other, of which each rank has its own
  /// indices.
  template <class T>
  void all_gather(T* values, Indices const& indices, int arrays = 1) {
    if (!indices.shared) return;
    auto const count = static_cast<std::size_t>(indices.count);
    auto* const here = reinterpret_cast<T*>(room(shared_, count * sizeof(T) * arrays));
    for (std::int64_t a = 0; a < arrays; ++a) {
      std::int64_t const begin = a * indices.count + indices.begin;
      transfer(here + begin, values + begin, static_cast<std::size_t>(indices.own()),
               values + begin, cudaMemcpyDeviceToHost);
    }
    wait();
    all_gather_here(here, indices, arrays);
    transfer(values, here, count * arrays, values, cudaMemcpyHostToDevice);
  }

  template <class Pass>
  void for_each(Indices const& indices, Pass const& pass) {
    auto const launch = [&pass](cudaStream_t stream, std::int64_t begin, std::int64_t end) {
      // Few rows: more, smaller blocks use more of the processors.
      unsigned const threads = end - begin < 65536 ? 64 : chunk_size;
      for_each_kernel<<<blocks(end - begin, threads), threads, 0, stream>>>(begin, end, pass);
    };
    if constexpr (requires { Pass::by_one_gpu; }) {
      by_first(indices.begin, indices.end, launch);
    } else {
      by_all(indices, 1, launch);
    }
  }
  template <class Pass>
  void run_steps(Steps<Pass> const& steps) {
    Pass const* passes = steps.get();
    int count = steps.count();
    void* arguments[] = {&passes, &count};
    CurrentGpu const current(first());
    check_cuda(cudaLaunchCooperativeKernel(run_steps_kernel<Pass>, dim3(steps.blocks()),
                                           dim3(steps_threads), arguments, 0, stream()),
               "launching small passes");
  }
  template <int V, class Pass>
  void sum_chunks(Indices const& chunks, Pass const& pass, double* partial) {
    by_all(chunks, chunk_size, [&](cudaStream_t stream, std::int64_t begin, std::int64_t end) {
      sum_chunks_kernel<V><<<static_cast<unsigned>(end - begin), chunk_size, 0, stream>>>(
          begin, chunks.count, pass, partial);
    });
    all_gather(partial, chunks, V);
  }
  template <int V, class Finish>
  void add_chunks(std::int64_t groups, ChunkRange const* ranges, std::int64_t chunks,
                  double const* partial, Finish const& finish) {
    by_first(0, groups, [&](cudaStream_t stream, std::int64_t, std::int64_t) {
      add_chunks_kernel<V><<<static_cast<unsigned>(groups), chunk_size, 0, stream>>>(
          ranges, chunks, partial, finish);
    });
  }
  template <class Pass>
  void gather_chunks(Indices const& chunks, Pass const& pass) {
    by_all(chunks, chunk_size, [&](cudaStream_t stream, std::int64_t begin, std::int64_t end) {
      gather_chunks_kernel<<<static_cast<unsigned>(end - begin), chunk_size, 0, stream>>>(begin,
                                                                                          pass);
    });
  }

  std::int64_t scan(std::int32_t* counts, std::int64_t size) {
    CurrentGpu const current(first());
    // One element more, so that the last one is the sum.
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
    transfer(to, from, size, to, cudaMemcpyHostToDevice);
    wait();
  }
  template <class T>
  void download(T* to, T const* from, std::size_t size) {
    if (yields_) wait();  // what the copy itself would do without yielding
    transfer(to, from, size, from, cudaMemcpyDeviceToHost);
    wait();
  }
  template <class T>
  void copy(T* to, T const* from, std::size_t size) {
    for_each(static_cast<std::int64_t>(size), CopyValues<T>{from, to});
  }
  template <class T>
  void clear(T* values, Indices const& indices) {
    for_each(indices, SetToZero<T>{values});
  }

  /// Launches what `work` did when it was first called with the key: some hundred small kernels in
  /// one piece. Where other processes take part in it, `work` is called again instead.
  template <class Work>
  void repeat(Graphs& graphs, int key, Work const& work) {
    if (!alone()) return work();
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
  /// Moves values of halos (base/ranks/halo.hpp) between this machine and main memory.
  struct HaloArrays {
    Gpu& gpu;
    std::byte* send_buffer(std::size_t bytes) const { return gpu.room(gpu.sent_, bytes); }
    std::byte* receive_buffer(std::size_t bytes) const { return gpu.room(gpu.received_, bytes); }
    void gather(HaloPart const& part, std::size_t rank, std::byte* to) const {
      with_value_size(part.value_bytes, [&]<std::size_t bytes>() {
        gpu.for_each(static_cast<std::int64_t>(part.halo->sends().size(rank)),
                     GatherValues<bytes>{part.values, GpuHalo::places_to_send(part, rank), to});
      });
    }
    void gathered() const { gpu.wait(); }
    void scatter(HaloPart const& part, std::size_t rank, std::byte const* from) const {
      with_value_size(part.value_bytes, [&]<std::size_t bytes>() {
        gpu.for_each(
            static_cast<std::int64_t>(part.halo->receives().size(rank)),
            ScatterValues<bytes>{from, GpuHalo::places_to_receive(part, rank), part.values});
      });
    }
  };
  template <class T>
  static HaloPart halo_part(Halo const& halo, T* values) {
    return {&halo, reinterpret_cast<std::byte*>(values), sizeof(T)};
  }
  /// `bytes` of the memory; before it grows, the GPUs finish what they do with the old memory.
  std::byte* room(PinnedMemory& memory, std::size_t bytes) {
    CurrentGpu const current(first());
    if (bytes > memory.size()) wait();
    return memory.room(bytes);
  }

  static unsigned blocks(std::int64_t count, unsigned threads) {
    return static_cast<unsigned>((count + threads - 1) / threads);
  }
  int first() const { return numbers_.front(); }
  cudaStream_t stream() const { return streams_.front().get(); }
  bool spreads(std::int64_t rows) const { return streams_.size() > 1 && rows >= spread_above_; }

  template <class T>
  Array<T> unset_array(std::size_t size) {
    CurrentGpu const current(first());
    if (numbers_.size() > 1) return Array<T>(size, typename Array<T>::Shared{numbers_});
    return Array<T>(size, stream());
  }

  /// Calls launch(stream, begin, end) on the first GPU.
  template <class Launch>
  void by_first(std::int64_t begin, std::int64_t end, Launch const& launch) {
    if (begin >= end) return;
    CurrentGpu const current(first());
    launch(stream(), begin, end);
    check_cuda(cudaGetLastError(), "launching a pass");
  }
  /// Launches on each GPU for its range of the own units, of so many rows each. The first GPU's
  /// stream orders all: the others begin after it, and it continues after them.
  template <class Launch>
  void by_all(Indices const& units, std::int64_t rows_each, Launch const& launch) {
    if (!spreads(units.count * rows_each)) return by_first(units.begin, units.end, launch);
    auto const parts = static_cast<std::int64_t>(streams_.size());
    // Whole chunks of rows: what a warp reads together lies together.
    std::int64_t const grain = chunk_size / rows_each;
    streams_.front().note();
    for (std::int64_t p = 0; p < parts; ++p) {
      std::int64_t const begin = units.begin + units.own() * p / parts / grain * grain;
      std::int64_t const end =
          p + 1 == parts ? units.end : units.begin + units.own() * (p + 1) / parts / grain * grain;
      GpuStream& own = streams_[static_cast<std::size_t>(p)];
      CurrentGpu const current(own.gpu());
      if (p > 0) own.wait_for(streams_.front());
      if (begin < end) launch(own.get(), begin, end);
      check_cuda(cudaGetLastError(), "launching a pass");
      if (p > 0) own.note();
    }
    for (std::size_t p = 1; p < streams_.size(); ++p) streams_.front().wait_for(streams_[p]);
  }

  /// `on_gpu`: the one of the two pointers that is a GPU's.
  template <class T>
  void transfer(T* to, T const* from, std::size_t size, void const* on_gpu, cudaMemcpyKind kind) {
    CurrentGpu const current(first());
    std::size_t const bytes = size * sizeof(T);
    for (std::size_t done = 0; done < bytes;) {
      std::size_t const now =
          SpreadMemory::in_one_piece(static_cast<std::byte const*>(on_gpu) + done, bytes - done);
      check_cuda(
          cudaMemcpyAsync(reinterpret_cast<std::byte*>(to) + done,
                          reinterpret_cast<std::byte const*>(from) + done, now, kind, stream()),
          "copying");
      done += now;
    }
  }
  void wait() {
    CurrentGpu const current(first());
    if (yields_) return streams_.front().wait_for_end();
    check_cuda(cudaStreamSynchronize(stream()), "running");
  }

  std::vector<int> numbers_;
  std::int64_t spread_above_ = 0;
  bool yields_ = false;
  std::optional<KeptMemory> kept_;
  std::vector<GpuStream> streams_;
  unsigned processors_ = 0;  ///< that small passes may keep busy
  PinnedMemory sent_, received_, shared_;
};

}  // namespace tessera::steady
