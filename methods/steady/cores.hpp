// SPDX-License-Identifier: MIT
// Passes on cores. A Machine (Cores, and Gpu) runs a pass for each of many indices, adds what
// passes return in a fixed order (methods/steady/sums.hpp), and owns memory. All of the solver is
// written once, in passes: small structs with operator()(index).
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/machine/aligned_array.hpp"
#include "base/machine/instructions.hpp"
#include "base/machine/seconds_since.hpp"
#include "base/machine/sparse_array.hpp"
#include "base/ranks/halo.hpp"
#include "base/ranks/ranks.hpp"
#include "methods/steady/indices.hpp"
#include "methods/steady/node_group.hpp"
#include "methods/steady/of_ranks.hpp"
#include "methods/steady/steady_options.hpp"
#include "methods/steady/sums.hpp"

// No value that an iteration of the loop writes is read by another iteration.
#if defined(__GNUC__) && !defined(__clang__)
#define TESSERA_INDEPENDENT _Pragma("GCC ivdep")
#else
#define TESSERA_INDEPENDENT
#endif

namespace tessera::steady {

#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define TESSERA_AVX2_CODE [[gnu::target("arch=x86-64-v3")]]
#define TESSERA_AVX512_CODE [[gnu::target("arch=x86-64-v4,prefer-vector-width=512")]]
#else
#define TESSERA_AVX2_CODE
#define TESSERA_AVX512_CODE
#endif

/// Runs a part of a pass, which returns how many indices it ran, and counts it.
template <class Part>
void run_counted(CoreUse& use, Part const& part) {
  auto const start = std::chrono::steady_clock::now();
  std::int64_t const items = part();
  if (items == 0) return;
  use.busy_s += seconds_since(start);
  use.items += items;
  ++use.passes;
}

/// Runs part(begin, end) on disjoint ranges that cover [0, count), and returns when all are done.
using RangeRunner =
    std::function<void(std::int64_t count, std::function<void(std::int64_t, std::int64_t)> const&)>;

/// A range for each of several threads, of which others take what it has not begun when they are
/// done. Each thread counts its work in its use; the uses, one for each thread, must outlive the
/// runner. Threads of its own where `on_each_thread` is empty.
RangeRunner make_thread_runner(std::span<CoreUse> uses, OnEachThread on_each_thread);

/// The cores of this process, and of the processes that compute with it, each with its range of the
/// indices.
class Cores : public OfRanks {
 public:
  static constexpr bool is_gpu = false;
  using Halo = tessera::Halo;

  /// Zeroed memory, on huge pages where that pays off. `sparse`: for arrays of which other
  /// processes have most.
  template <class T>
  class Array {
   public:
    Array() = default;
    Array(std::size_t size, bool sparse) : size_(size) {
      if (sparse) {
        sparse_ = SparseArray<T>(size);
        data_ = sparse_.get();
      } else if (size * sizeof(T) >= large) {
        pages_ = std::make_unique<AlignedArray<T>>(size);
        data_ = pages_->get();
      } else {
        values_.resize(size + 1);
        data_ = values_.data();
      }
    }
    ~Array() = default;
    Array(Array const&) = delete;
    Array& operator=(Array const&) = delete;
    Array(Array&&) noexcept = default;
    Array& operator=(Array&&) noexcept = default;
    T* get() const { return data_; }
    std::size_t size() const { return size_; }
    /// Frees what belongs to other processes.
    void keep(Indices const& own) const {
      if (sparse_.get() != nullptr)
        sparse_.keep(static_cast<std::size_t>(own.begin), static_cast<std::size_t>(own.end));
    }

   private:
    static constexpr std::size_t large = std::size_t{4} << 20;
    std::size_t size_ = 0;
    T* data_ = nullptr;
    SparseArray<T> sparse_;
    std::unique_ptr<AlignedArray<T>> pages_;
    std::vector<T> values_;
  };

  /// Memory of the host that passes read.
  template <class T>
  class Input {
   public:
    Input(Cores&, T const* values, std::size_t) : values_(values) {}
    T const* get() const { return values_; }

   private:
    T const* values_ = nullptr;
  };

  explicit Cores(SteadyOptions const& options)
      : uses_(static_cast<std::size_t>(std::max(options.threads, 1))),
        run_(make_thread_runner(uses_, options.on_each_thread)) {}

  std::vector<CoreUse> const& uses() const { return uses_; }

  /// Zeroed values; `rows`, the indices that a pass over them has, is for machines that spread
  /// them.
  template <class T>
  Array<T> array(std::size_t size, std::size_t /*rows*/ = 0) {
    return Array<T>(size, !alone());
  }

  template <class T>
  Array<T> array_of(Indices const& own, std::size_t /*rows*/ = 0,
                    std::initializer_list<Halo const*> /*beside*/ = {}) {
    return array<T>(static_cast<std::size_t>(own.count));
  }

  /// The halo of a receive list, by rank.
  static Halo halo(std::vector<std::vector<std::int64_t>> const& wanted) { return Halo(wanted); }
  /// Halo exchange of an array, or of two.
  template <class T>
  void refresh(Halo const& halo, T* values) {
    if (!alone()) messages().exchange(std::array{halo_part(halo, values)}, halo_arrays_);
  }
  /// Halo exchange of two arrays; the values of the first one are not smaller.
  template <class T, class U>
  void refresh(Halo const& halo, T* values, Halo const& other_halo, U* others) {
    static_assert(sizeof(T) >= sizeof(U));
    if (!alone())
      messages().exchange(std::array{halo_part(halo, values), halo_part(other_halo, others)},
                          halo_arrays_);
  }
  /// All-gather of an array, or of several, one behind the other, of which each rank has its own
  /// indices.
  template <class T>
  void all_gather(T* values, Indices const& indices, int arrays = 1) {
    if (indices.shared) all_gather_here(values, indices, arrays);
  }

  /// Calls pass(i) for all own i, in any order.
  template <class Pass>
  void for_each(Indices const& indices, Pass const& pass) {
    in_ranges(indices, grain, [&pass](std::int64_t begin, std::int64_t end) TESSERA_INLINE_LAMBDA {
      for (std::int64_t i = begin; i < end; ++i) pass(i);
    });
  }

  /// Calls pass(i) for i in [0, count), in any order, for few indices and long passes.
  template <class Pass>
  void for_each_long(std::int64_t count, Pass const& pass) {
    in_ranges(count, 64, [&pass](std::int64_t begin, std::int64_t end) TESSERA_INLINE_LAMBDA {
      for (std::int64_t i = begin; i < end; ++i) pass(i);
    });
  }

  /// Passes that are run one after the other, each of which is one of a few kinds.
  template <class Pass>
  struct Steps {
    Steps() = default;
    Steps(Cores&, std::vector<Pass> steps) : passes(std::move(steps)) {}
    std::vector<Pass> passes;
  };
  template <class Pass>
  void run_steps(Steps<Pass> const& steps) {
    for (Pass const& step : steps.passes) {
      step.with(
          [&]<class Kind>(std::int64_t count, Kind const& pass) { add_strands(count, pass); });
    }
  }

  /// Calls pass(i) -> Sums<V> for all nodes; writes the sums of each chunk to partial[v * chunks +
  /// chunk].
  template <int V, class Pass>
  void sum_chunks(Indices const& chunks, Pass const& pass, double* partial) {
    in_ranges(chunks, grain / chunk_size,
              [&](std::int64_t begin, std::int64_t end) TESSERA_INLINE_LAMBDA {
                double terms[V][chunk_size];
                for (std::int64_t chunk = begin; chunk < end; ++chunk) {
                  each_of_chunk<Pass>(chunk, [&](auto at, auto in_chunk) TESSERA_INLINE_LAMBDA {
                    auto const sums = pass(at);
                    for (int v = 0; v < V; ++v) store(terms[v], in_chunk, sums.of[v]);
                  });
                  for (int v = 0; v < V; ++v)
                    partial[v * chunks.count + chunk] = tree_sum(terms[v]);
                }
              });
    all_gather(partial, chunks, V);
  }

  /// Calls finish(group, Sums<V>) with the sums over the chunks ranges[group] (nullptr: all
  /// chunks).
  template <int V, class Finish>
  void add_chunks(std::int64_t groups, ChunkRange const* ranges, std::int64_t chunks,
                  double const* partial, Finish const& finish) {
    in_ranges(groups, 16, [&](std::int64_t begin, std::int64_t end) TESSERA_INLINE_LAMBDA {
      for (std::int64_t group = begin; group < end; ++group) {
        ChunkRange const range = ranges ? ranges[group] : ChunkRange{0, chunks};
        Sums<V> sums{};
        for (int v = 0; v < V; ++v) {
          double strands[chunk_size] = {};
          for (std::int64_t c = range.first; c < range.last; ++c)
            strands[(c - range.first) % chunk_size] += partial[v * chunks + c];
          sums.of[v] = tree_sum(strands);
        }
        finish(group, sums);
      }
    });
  }

  /// Calls pass.value(node) for all nodes of a chunk, then pass.gather(chunk, t, values) for t = 0
  /// ... 255.
  template <class Pass>
  void gather_chunks(Indices const& chunks, Pass const& pass) {
    in_ranges(chunks, grain / chunk_size,
              [&](std::int64_t begin, std::int64_t end) TESSERA_INLINE_LAMBDA {
                typename Pass::Value values[chunk_size];
                for (std::int64_t chunk = begin; chunk < end; ++chunk) {
                  each_of_chunk<Pass>(chunk, [&](auto at, auto in_chunk) TESSERA_INLINE_LAMBDA {
                    store(values, in_chunk, pass.value(at));
                  });
                  for (int t = 0; t < chunk_size; ++t) pass.gather(chunk, t, values);
                }
              });
  }

  /// Exclusive scan: counts[i] becomes the sum of the counts before i, counts[size] the sum of all,
  /// which is returned.
  std::int64_t scan(std::int32_t* counts, std::int64_t size) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < size; ++i) {
      std::int32_t const own = counts[i];
      counts[i] = static_cast<std::int32_t>(sum);
      sum += own;
    }
    counts[size] = static_cast<std::int32_t>(sum);
    return sum;
  }

  template <class T>
  void upload(T* to, T const* from, std::size_t size) {
    if (size > 0) std::memcpy(static_cast<void*>(to), from, size * sizeof(T));
  }
  template <class T>
  void download(T* to, T const* from, std::size_t size) {
    if (size > 0) std::memcpy(static_cast<void*>(to), from, size * sizeof(T));
  }
  template <class T>
  void copy(T* to, T const* from, std::size_t size) {
    upload(to, from, size);
  }
  template <class T>
  void clear(T* values, Indices const& indices) {
    std::fill(values + indices.begin, values + indices.end, T{});
  }

  /// Runs `work`, which is the same passes each time with the same `key`.
  struct Graphs {};
  template <class Work>
  void repeat(Graphs&, int /*key*/, Work const& work) {
    work();
  }

 private:
  /// Below so many nodes a range for another thread costs more than it saves.
  static constexpr std::int64_t grain = 2048;

  /// Calls visit(at, at less the chunk's first node) for all nodes of a chunk, or all groups.
  template <class Pass, class Visit>
  TESSERA_HOST_DEVICE static void each_of_chunk(std::int64_t chunk, Visit const& visit) {
    std::int64_t const first = chunk * chunk_size;
    if constexpr (RunsInGroups<Pass>) {
      for (std::int64_t t = 0; t < chunk_size; t += NodeGroup::size)
        visit(NodeGroup{first + t}, NodeGroup{t});
    } else {
      TESSERA_INDEPENDENT
      for (std::int64_t t = 0; t < chunk_size; ++t) visit(first + t, t);
    }
  }

  /// Calls pass.finish(i, sum) with the sum of pass.strand(i, lane) over all lanes, added as a
  /// tree.
  template <class Pass>
  void add_strands(std::int64_t count, Pass const& pass) {
    in_ranges(count, 512, [&pass](std::int64_t begin, std::int64_t end) TESSERA_INLINE_LAMBDA {
      for (std::int64_t i = begin; i < end; ++i) {
        typename Pass::Value strands[Pass::lanes];
        if constexpr (requires { pass.row(i); }) {
          auto const row = pass.row(i);
          strands[0] = row.start;
          for (int lane = 1; lane < Pass::lanes; ++lane) strands[lane] = typename Pass::Value{};
          for (int k = 0; k < row.length; ++k) row.add(k, strands[k % Pass::lanes]);
        } else {
          for (int lane = 0; lane < Pass::lanes; ++lane) strands[lane] = pass.strand(i, lane);
        }
        for (int half = Pass::lanes / 2; half > 0; half /= 2) {
          for (int lane = 0; lane < half; ++lane) strands[lane] += strands[lane + half];
        }
        pass.finish(i, strands[0]);
      }
    });
  }

  template <class T>
  static HaloPart halo_part(Halo const& halo, T* values) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16 || sizeof(T) == 32);
    return {&halo, reinterpret_cast<std::byte*>(values), sizeof(T)};
  }

  template <class Part>
  void in_ranges(Indices const& indices, std::int64_t least, Part const& part) {
    std::int64_t const count = indices.own();
    if (count <= 0) return;
    auto const with_instructions = [this, &part, first = indices.begin](std::int64_t begin,
                                                                        std::int64_t end) {
      begin += first;
      end += first;
      switch (instructions_) {
#if TESSERA_FOR_GENERIC
        case Instructions::generic:
          return part(begin, end);
#endif
#if TESSERA_FOR_AVX2
        case Instructions::avx2:
          return with_avx2(part, begin, end);
#endif
#if TESSERA_FOR_AVX512
        case Instructions::avx512:
          return with_avx512(part, begin, end);
#endif
        default:
          break;
      }
    };
    if (uses_.size() == 1 || count < 2 * least) {
      run_counted(uses_.front(), [&] {
        with_instructions(0, count);
        return count;
      });
    } else {
      run_(count, with_instructions);
    }
  }
  // All that a pass calls is inlined into these, so it is compiled for their instructions.
  template <class Part>
  TESSERA_AVX2_CODE static void with_avx2(Part const& part, std::int64_t begin, std::int64_t end) {
    part(begin, end);
  }
  template <class Part>
  TESSERA_AVX512_CODE static void with_avx512(Part const& part, std::int64_t begin,
                                              std::int64_t end) {
    part(begin, end);
  }

  std::vector<CoreUse> uses_;
  RangeRunner run_;
  HaloArrays halo_arrays_;
  /// The instruction set that all processes have, so that all compute the same bits.
  Instructions instructions_ =
      static_cast<Instructions>(-Ranks::maximum(-static_cast<std::int64_t>(best_instructions())));
};

}  // namespace tessera::steady
