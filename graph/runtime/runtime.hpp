// SPDX-License-Identifier: MIT
// StarPU, started and shut down; its workers and what they did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/domain.hpp"

namespace tessera {

struct WorkerReport {
  std::string name;
  std::string kind;  ///< "CPU" or "CUDA"
  long tasks = 0;
  double busy_s = 0;     ///< time in codelets
  double waiting_s = 0;  ///< all other time: without a task or its data, or in StarPU
};

struct WorkerThreads {
  /// More than one: each has a thread of its own, for tasks that wait for what they compute.
  unsigned workers_per_gpu = 1;
  /// Whether each worker has a core of its own, where there are enough.
  bool bound = true;
};

/// StarPU as long as this object exists. Only one at a time.
class Runtime {
 public:
  /// How many GPUs there are that Tessera can use; needs no Runtime.
  static int gpus_present() { return static_cast<int>(gpu_numbers().size()); }
  /// The GPUs of this process, as CUDA numbers them.
  static std::vector<int> gpu_numbers();
  /// Name of the first GPU; needs no Runtime.
  static std::string gpu_name();
  /// Versions of CUDA's runtime and of the latest CUDA that the driver supports, "13.0 (driver
  /// 13.1)"; none without a GPU. Needs no Runtime.
  static std::optional<std::string> cuda_version();
  /// Memory that StarPU may fill on each GPU (STARPU_LIMIT_CUDA_MEM, else most of it); 0
  /// without GPUs. Needs no Runtime.
  static std::size_t gpu_bytes();
  /// Starts StarPU with Tessera's defaults where the environment (STARPU_*) says nothing. Throws
  /// BadInput for a scheduling policy that is none of schedulers(), EnvironmentError if it does not
  /// start. `cpu_workers` < 0: as many as there are cores; `gpus` < 0: all there are.
  explicit Runtime(std::string const& scheduler = {}, int cpu_workers = -1, int gpus = 0,
                   WorkerThreads threads = {});
  /// Returns the scheduling policy to take: the given one, else $STARPU_SCHED, else the usual one.
  /// Throws BadInput for one that is none of schedulers().
  static std::string check_scheduler(std::string const& scheduler, char const* usual = "lws");
  ~Runtime();
  Runtime(Runtime const&) = delete;
  Runtime& operator=(Runtime const&) = delete;

  /// Keeps the workers from taking tasks while an object exists.
  class Pause {
   public:
    Pause();
    ~Pause();
    Pause(Pause const&) = delete;
    Pause& operator=(Pause const&) = delete;
  };

  std::string const& scheduler() const { return scheduler_; }
  static unsigned core_count();
  /// The GPUs, followed by all cores if `with_cores`.
  static std::vector<Domain> domains(bool with_cores);
  static Domain cores();
  /// The CPU, in the operating system's count, that a core's worker is bound to, found out between
  /// two of its tasks. Throws EnvironmentError.
  static int cpu_of(int worker);
  /// The GPU of a GPU's worker, in CUDA's count.
  static int gpu_of(int worker);
  /// Resets the counters of what the workers did.
  static void restart_counters();
  /// What the workers did since restart_counters(), which it calls: all tasks must have ended.
  static std::vector<WorkerReport> workers();
  static std::string version();
  /// The policies that this StarPU offers for tasks that have no home of their own.
  static std::vector<std::string> schedulers();

 private:
  std::string scheduler_;
  bool alone_;  ///< started without other ranks
};

}  // namespace tessera
