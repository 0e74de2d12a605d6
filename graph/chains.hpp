// SPDX-License-Identifier: MIT
// Pieces of work that know nothing of each other, as tasks: each is a chain of two, of which the
// first prepares and the second computes. StarPU's scheduler chooses the worker of each task.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace tessera {

enum class WorkerKind : std::uint8_t { core, gpu };

class Chain {
 public:
  Chain() = default;
  virtual ~Chain() = default;
  Chain(Chain const&) = delete;
  Chain& operator=(Chain const&) = delete;

  /// Runs on a core.
  virtual void prepare() = 0;
  /// Runs after prepare(), on a core or on the GPU that is current.
  virtual void compute(WorkerKind kind) = 0;
  /// Seconds that prepare() is expected to take. May be asked for at any time, by any thread, and
  /// so may the next one.
  virtual double seconds_to_prepare() const = 0;
  /// Seconds that compute() is expected to take, once prepare() has returned. Right up to a factor
  /// for each kind of worker: what the first ones took corrects what is expected of the next ones.
  virtual double seconds_to_compute(WorkerKind kind) const = 0;
};

struct ChainOptions {
  std::size_t in_flight = 1;  ///< chains that have begun and not ended, at most
  bool on_cores = true;       ///< whether cores compute, too, where there are GPUs
};

/// Runs chains on the workers of the Runtime, which must be there: next() says which, by its number
/// in `chains`, until it returns nothing. Returns when all have ended; `ended` gets the number of
/// each as it ends. Both are called in the thread that called. Once `stop` is set no more chains
/// begin, and the tasks of those that have begun run to their end. What a task, next() or `ended`
/// throws is thrown again when all that had begun has ended.
void run_chains(std::span<Chain* const> chains,
                std::function<std::optional<std::size_t>()> const& next,
                ChainOptions const& options, std::atomic<bool> const& stop,
                std::function<void(std::size_t)> const& ended);

}  // namespace tessera
