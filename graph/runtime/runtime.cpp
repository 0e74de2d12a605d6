// SPDX-License-Identifier: MIT
#include "graph/runtime/runtime.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <starpu.h>
#include <starpu_profiling.h>
#ifdef TESSERA_HAS_CUDA
#include <cuda_runtime_api.h>

#include "graph/tasks/gpu_streams.hpp"
#include "graph/tasks/host_memory.hpp"
#endif

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/work_signs.hpp"
#include "graph/runtime/cores.hpp"
#include "graph/runtime/cuda_version.hpp"
#include "graph/runtime/home_policy.hpp"
#include "graph/runtime/host_share.hpp"
#include "graph/runtime/resting_policy.hpp"
#include "graph/runtime/sampling_files.hpp"
#include "graph/runtime/starpu_environment.hpp"
#include "graph/tasks/messages.hpp"
#include "graph/tasks/starpu_call.hpp"
#include "graph/tasks/submit.hpp"

namespace tessera {
namespace {

/// A run that leaves cores to others lets the system choose: StarPU would take the first ones, and
/// runs side by side would all sit there.
bool leaves_cores(int cpu_workers) {
  return cpu_workers >= 0 && static_cast<unsigned>(cpu_workers) < cores_with_reserved();
}

/// One of schedulers(), or null.
starpu_sched_policy const* policy_called(std::string const& name) {
  starpu_sched_policy** policy = starpu_sched_get_predefined_policies();
  while (*policy != nullptr && name != (*policy)->policy_name) ++policy;
  return *policy;
}

}  // namespace

std::vector<std::string> Runtime::schedulers() {
  std::vector<std::string> names;
  for (starpu_sched_policy** policy = starpu_sched_get_predefined_policies(); *policy != nullptr;
       ++policy) {
    names.emplace_back((*policy)->policy_name);
  }
  return names;
}

std::string Runtime::check_scheduler(std::string const& scheduler, char const* usual) {
  char const* const from_environment = std::getenv("STARPU_SCHED");
  std::string name = !scheduler.empty()            ? scheduler
                     : from_environment != nullptr ? from_environment
                                                   : usual;
  // StarPU itself would print a line about an unknown name and take another policy.
  if (policy_called(name) == nullptr) {
    throw BadInput(fmt::format("scheduling policy '{}' is unknown: there are {}", name,
                               fmt::join(schedulers(), ", ")));
  }
  return name;
}

Runtime::Runtime(std::string const& scheduler, int cpu_workers, int gpus, WorkerThreads threads)
    : scheduler_(check_scheduler(scheduler)), alone_(Ranks::alone()) {
  if (starpu_is_initialized() != 0)
    throw EnvironmentError("StarPU is at work already: expected no co-processor beside a run");
  check_starpu_environment();
  auto const sampling = prepare_sampling_folder();
  set_starpu_defaults();
  if (gpus < 0) gpus = gpus_present();
  ForTheStart const policy("STARPU_SCHED", std::nullopt);  // it would outweigh what it is given
  // A GPU that exchanges with cores waits for their data now and then: it needs more tasks at hand.
  bool const cores_help = gpus > 0 && cpu_workers > 1;
  char const* const length = std::getenv("STARPU_CUDA_PIPELINE");
  ForTheStart const pipeline("STARPU_CUDA_PIPELINE",
                             length != nullptr ? length : (cores_help ? "4" : "2"));
  std::optional<ForTheStart> several, thread_each;
  if (threads.workers_per_gpu > 1) {
    several.emplace("STARPU_NWORKER_PER_CUDA", std::to_string(threads.workers_per_gpu));
    thread_each.emplace("STARPU_CUDA_THREAD_PER_WORKER", "1");
  }
  std::optional<ForTheStart> counted;  // what is reserved has been taken off the plan, and once
  if (cpu_workers >= 0) counted.emplace("STARPU_RESERVE_NCPU", std::nullopt);
  std::optional<ForTheStart> unbound;
  bool const among_others = !Ranks::alone() && !host_share().bound;
  if ((!threads.bound || leaves_cores(cpu_workers) || among_others) && !user_binds_workers())
    unbound.emplace("STARPU_WORKERS_NOBIND", "1");
  std::optional<ForTheStart> own_gpus;
  if (!host_share().gpus.empty())
    own_gpus.emplace("STARPU_WORKERS_CUDAID", fmt::format("{}", fmt::join(host_share().gpus, " ")));

  starpu_conf conf{};
  check_starpu(starpu_conf_init(&conf), "starpu_conf_init");
  conf.sched_policy = &with_rest(with_homes(*policy_called(scheduler_)));
  conf.sched_policy_name = nullptr;
  conf.precedence_over_environment_variables = 1;  // the numbers of workers are what was planned
  conf.catch_signals = 0;  // Ctrl-C is ours: it ends the run and writes what there is
  if (cpu_workers >= 0) conf.ncpus = cpu_workers;
  conf.ncuda = gpus;
  starpu_malloc_set_align(64);
  for (char const* const looks_about : {"CPU ", "CUDA ", "MPI"}) WorkSigns::leave_out(looks_about);
#ifdef TESSERA_HAS_CUDA
  make_host_memory_quickly(gpus > 0);
#endif
#ifndef STARPU_SIMGRID  // a machine on paper brings its files along
  measure_bus_once(sampling, [&conf] {
    check_starpu(starpu_init(&conf), "starpu_init");
    starpu_shutdown();
  });
#endif
  remove_cut_files(sampling);
  if (alone_) {
    check_starpu(starpu_init(&conf), "starpu_init");
  } else {
    start_starpu_with_messages(conf);
  }
#ifdef TESSERA_HAS_CUDA
  create_gpu_streams();
#endif
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
}

Runtime::~Runtime() {
#ifdef TESSERA_HAS_CUDA
  destroy_gpu_streams();
#endif
  if (alone_) {
    starpu_shutdown();
  } else {
    end_starpu_with_messages();
  }
}

Runtime::Pause::Pause() { starpu_pause(); }
Runtime::Pause::~Pause() { starpu_resume(); }

unsigned Runtime::core_count() { return starpu_cpu_worker_get_count(); }

std::vector<Domain> Runtime::domains(bool with_cores) {
  std::vector<Domain> gpus;
  for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
    auto const id = static_cast<int>(w);
    if (starpu_worker_get_type(id) != STARPU_CUDA_WORKER) continue;
    auto const device = static_cast<std::size_t>(starpu_worker_get_devid(id));
    gpus.resize(std::max(gpus.size(), device + 1), Domain{.kind = STARPU_CUDA});
    gpus[device].workers.push_back(id);
  }
  std::erase_if(gpus, [](Domain const& gpu) { return gpu.workers.empty(); });
  if (with_cores) gpus.push_back(cores());
  return gpus;
}

Domain Runtime::cores() {
  Domain cores;
  for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
    auto const id = static_cast<int>(w);
    if (starpu_worker_get_type(id) == STARPU_CPU_WORKER) cores.workers.push_back(id);
  }
  return cores;
}

int Runtime::cpu_of(int worker) {
  int cpu = -1;
  auto const ask = [](void* answer) { *static_cast<int*>(answer) = sched_getcpu(); };
  auto id = static_cast<unsigned>(worker);
  starpu_execute_on_specific_workers(ask, &cpu, 1, &id, "where");
  if (cpu < 0) throw EnvironmentError("the CPU of a core cannot be found out");
  return cpu;
}

int Runtime::gpu_of(int worker) { return starpu_worker_get_devid(worker); }

std::size_t Runtime::gpu_bytes() {
  if (gpus_present() == 0) return 0;
  if (char const* const limit_mb = std::getenv("STARPU_LIMIT_CUDA_MEM"); limit_mb != nullptr)
    return static_cast<std::size_t>(std::atol(limit_mb)) << 20;
#ifdef TESSERA_HAS_CUDA
  constexpr double starpu_takes = 0.9;  // of what there is, unless told
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess)
    return static_cast<std::size_t>(starpu_takes * static_cast<double>(properties.totalGlobalMem));
#endif
  return 0;
}

std::vector<int> Runtime::gpu_numbers() {
  if (!Ranks::alone()) return host_share().gpus;
  int count = 0;
#ifdef TESSERA_HAS_CUDA
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
#endif
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::string Runtime::gpu_name() {
#ifdef TESSERA_HAS_CUDA
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess) return properties.name;
#endif
  return "no GPU";
}

std::optional<std::string> Runtime::cuda_version() {
#ifdef TESSERA_HAS_CUDA
  int runtime = 0, driver = 0;
  bool const known = cudaRuntimeGetVersion(&runtime) == cudaSuccess &&
                     cudaDriverGetVersion(&driver) == cudaSuccess;
  if (known && gpus_present() > 0)
    return fmt::format("{} (driver {})", version_text(runtime), version_text(driver));
#endif
  return std::nullopt;
}

void Runtime::restart_counters() {
  for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
    auto const id = static_cast<int>(w);
    check_starpu(starpu_profiling_worker_get_info(id, nullptr), "starpu_profiling_worker_get_info");
  }
}

std::vector<WorkerReport> Runtime::workers() {
  std::vector<WorkerReport> reports;
  for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
    char name[64];
    auto const id = static_cast<int>(w);
    starpu_worker_get_name(id, name, sizeof name);
    starpu_profiling_worker_info info{};
    check_starpu(starpu_profiling_worker_get_info(id, &info), "starpu_profiling_worker_get_info");
    // StarPU's sleeping_time leaves out its own work, and on GPUs it goes on while a task runs.
    double const busy = starpu_timing_timespec_to_us(&info.executing_time) * 1e-6;
    double const total = starpu_timing_timespec_to_us(&info.total_time) * 1e-6;
    reports.push_back({.name = name,
                       .kind = starpu_worker_get_type(id) == STARPU_CUDA_WORKER ? "CUDA" : "CPU",
                       .tasks = info.executed_tasks,
                       .busy_s = busy,
                       .waiting_s = std::max(0.0, total - busy)});
  }
  return reports;
}

std::string Runtime::version() {
  int major = 0, minor = 0, release = 0;
  starpu_get_version(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace tessera
