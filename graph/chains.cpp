// SPDX-License-Identifier: MIT
#include "graph/chains.hpp"

#include <starpu.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "graph/tasks/data_handle.hpp"
#include "graph/tasks/on_gpu.hpp"
#include "graph/tasks/submit.hpp"

namespace tessera {
namespace {

/// What chains take on each kind of worker, as measured over as expected.
class Corrections {
 public:
  void note(WorkerKind kind, double expected_s, double measured_s) {
    std::scoped_lock const lock(mutex_);
    Sums& sums = of(kind);
    sums.expected_s += expected_s;
    sums.measured_s += measured_s;
  }
  double factor(WorkerKind kind) {
    std::scoped_lock const lock(mutex_);
    Sums const& sums = of(kind);
    return sums.expected_s > 0 ? sums.measured_s / sums.expected_s : 1;
  }

 private:
  struct Sums {
    double expected_s = 0;
    double measured_s = 0;
  };
  Sums& of(WorkerKind kind) { return sums_[static_cast<std::size_t>(kind)]; }

  std::mutex mutex_;
  std::array<Sums, 2> sums_{};
};

/// What the tasks of all chains share.
class Progress {
 public:
  Corrections corrections;

  /// Runs a part of a chain, unless another one has failed.
  template <class Part>
  void run(Part const& part) noexcept {
    try {
      if (!failed()) part();
    } catch (...) {
      fail(std::current_exception());
    }
  }
  void fail(std::exception_ptr failure) {
    std::scoped_lock const lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
  }
  bool failed() {
    std::scoped_lock const lock(mutex_);
    return failure_ != nullptr;
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  void end(std::size_t chain) noexcept {
    std::scoped_lock const lock(mutex_);
    ended_.push_back(chain);
    some_ended_.notify_one();
  }
  /// The chains that have ended since the last call: one at least.
  std::vector<std::size_t> wait_for_some() {
    std::unique_lock lock(mutex_);
    some_ended_.wait(lock, [this] { return !ended_.empty(); });
    return std::exchange(ended_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable some_ended_;
  std::vector<std::size_t> ended_;
  std::exception_ptr failure_;
};

/// The argument of a chain's tasks.
struct Link {
  Chain* chain = nullptr;
  std::size_t number = 0;
  Progress* progress = nullptr;
};

Link& link_of(void* argument) { return *static_cast<Link*>(argument); }

void prepare_on_core(void** /*buffers*/, void* argument) noexcept {
  Link& link = link_of(argument);
  link.progress->run([&] { link.chain->prepare(); });
}

void compute_on(WorkerKind kind, Link& link) {
  link.progress->run([&] {
    double const expected = link.chain->seconds_to_compute(kind);
    auto const start = std::chrono::steady_clock::now();
    link.chain->compute(kind);
    std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - start;
    link.progress->corrections.note(kind, expected, taken.count());
  });
  link.progress->end(link.number);
}

void compute_on_core(void** /*buffers*/, void* argument) noexcept {
  compute_on(WorkerKind::core, link_of(argument));
}

[[maybe_unused]] void compute_on_gpu(void** /*buffers*/, void* argument) noexcept {
  compute_on(WorkerKind::gpu, link_of(argument));
}

constexpr double microseconds = 1e6;

double time_to_prepare(starpu_task* task, starpu_perfmodel_arch* /*where*/, unsigned /*which*/) {
  return microseconds * link_of(task->cl_arg).chain->seconds_to_prepare();
}

double time_to_compute(starpu_task* task, starpu_perfmodel_arch* where, unsigned /*which*/) {
  Link const& link = link_of(task->cl_arg);
  WorkerKind const kind =
      where->devices[0].type == STARPU_CUDA_WORKER ? WorkerKind::gpu : WorkerKind::core;
  return microseconds * link.progress->corrections.factor(kind) *
         link.chain->seconds_to_compute(kind);
}

starpu_codelet& prepare_codelet() {
  static starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = time_to_prepare};
  static starpu_codelet codelet = {.cpu_funcs = {prepare_on_core},
                                   .nbuffers = 1,
                                   .modes = {STARPU_W},
                                   .model = &model,
                                   .name = "prepare"};
  return codelet;
}

starpu_codelet& compute_codelet() {
  static starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = time_to_compute};
  static starpu_codelet codelet = {.cpu_funcs = {compute_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(compute_on_gpu)},
                                   .nbuffers = 1,
                                   .modes = {STARPU_RW},
                                   .model = &model,
                                   .name = "compute"};
  return codelet;
}

}  // namespace

void run_chains(std::span<Chain* const> chains,
                std::function<std::optional<std::size_t>()> const& next,
                ChainOptions const& options, std::atomic<bool> const& stop,
                std::function<void(std::size_t)> const& ended) {
  Progress progress;
  std::vector<Link> links(chains.size());
  std::vector<DataHandle> order(chains.size());
  Placement computed;
  if (!options.on_cores) computed.kinds = STARPU_CUDA;
  std::size_t flying = 0;
  auto const begin = [&](std::size_t c) {
    links[c] = {chains[c], c, &progress};
    order[c] = DataHandle::without_content();
    submit(prepare_codelet(), Accesses().writes(order[c]), &links[c]);
    submit(compute_codelet(), Accesses().updates(order[c]), &links[c], computed);
    ++flying;
  };
  auto const take_those_that_ended = [&] {
    for (std::size_t const number : progress.wait_for_some()) {
      --flying;
      order[number] = {};
      progress.run([&] { ended(number); });
    }
  };
  for (bool more = true; more;) {
    more = false;
    progress.run([&] {
      if (stop) return;
      auto const number = next();
      if (number) begin(*number);
      more = number.has_value();
    });
    while (flying >= options.in_flight) take_those_that_ended();
  }
  while (flying > 0) take_those_that_ended();
  progress.rethrow();
}

}  // namespace tessera
