// SPDX-License-Identifier: MIT
#include "graph/runtime.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <starpu.h>
#include <starpu_profiling.h>
#include <unistd.h>
#ifdef TESSERA_HAS_CUDA
#include <cuda_runtime_api.h>

#include "codelets/gpu_streams.hpp"
#endif

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "graph/cuda_version.hpp"
#include "graph/locality_policy.hpp"
#include "graph/starpu_call.hpp"
#include "graph/submit.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

/// A default that the user's environment overrides.
void set_default(char const* name, std::string const& value) { setenv(name, value.c_str(), 0); }

void set_environment_defaults() {
  // A lattice that is dead goes back to StarPU's allocation cache, and the next tile's new lattice
  // is taken from there. In main memory StarPU keeps such a cache only if it knows how much memory
  // it may use; without it every task would fault its pages in anew. So it is told more than anyone
  // has: at a limit it would wait for room that nobody can make, and some machines grow when asked.
  set_default("STARPU_LIMIT_CPU_MEM", std::to_string(16L << 20));  // MB
  // Else StarPU writes tiles back to main memory all the time, to keep buffers clean.
  set_default("STARPU_MINIMUM_CLEAN_BUFFERS", "0");
  set_default("STARPU_TARGET_CLEAN_BUFFERS", "0");
  set_default("STARPU_SILENT", "1");
  // Else StarPU 1.3 counts and binds to cores that `taskset` or a batch system keeps us from.
  set_default("STARPU_WORKERS_GETBIND", "1");
  // Policies that predict times (dmda and its like) try every kind of worker until they know it: a
  // core's time for a GPU's tile is long, so seldom; and GPUs of one host are taken to be alike.
  set_default("STARPU_CALIBRATE_MINIMUM", "3");
  set_default("STARPU_PERF_MODEL_HOMOGENEOUS_CUDA", "1");
  // A StarPU built with FxT would record every run; graph/trace.cpp asks for it.
  set_default("STARPU_FXT_TRACE", "0");
}

/// A variable of the environment as long as StarPU starts: some things it reads nowhere else, and a
/// later runtime shall not inherit it.
class ForTheStart {
 public:
  ForTheStart(char const* name, std::string const& value) : name_(name) {
    if (char const* const before = std::getenv(name); before != nullptr) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~ForTheStart() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  ForTheStart(ForTheStart const&) = delete;
  ForTheStart& operator=(ForTheStart const&) = delete;

 private:
  char const* name_;
  std::optional<std::string> before_;
};

/// StarPU keeps its measurements of the machine in $STARPU_HOME/.starpu, else $HOME/.starpu, and
/// aborts if it cannot write there, or reads a file there that a full disk has left empty.
void prepare_sampling_folder() {
  namespace fs = std::filesystem;
  char const* home = std::getenv("STARPU_HOME");
  if (home == nullptr) home = std::getenv("HOME");
  std::error_code error;
  fs::path folder = home == nullptr ? fs::path() : fs::path(home) / ".starpu" / "sampling";
  auto const usable = [&] {
    fs::create_directories(folder / "bus", error);
    return !error && access((folder / "bus").c_str(), W_OK) == 0;
  };
  if (home == nullptr || !usable()) {
    fs::path const substitute = fs::temp_directory_path() / fmt::format("tessera-{}", getuid());
    folder = substitute / ".starpu" / "sampling";
    if (!usable()) {
      throw EnvironmentError(
          fmt::format("StarPU needs a folder to write to: set STARPU_HOME to one ({} is none)",
                      folder.string()));
    }
    setenv("STARPU_HOME", substitute.c_str(), 1);
  }
  for (fs::directory_entry const& file : fs::directory_iterator(folder / "bus", error)) {
    if (file.is_regular_file() && file.file_size() == 0) fs::remove(file.path(), error);
  }
}

}  // namespace

std::vector<std::string> Runtime::schedulers() {
  std::vector<std::string> names;
  for (starpu_sched_policy** policy = starpu_sched_get_predefined_policies(); *policy != nullptr;
       ++policy) {
    names.emplace_back((*policy)->policy_name);
  }
  names.emplace_back(locality_policy().policy_name);
  return names;
}

std::string Runtime::check_scheduler(std::string const& scheduler) {
  char const* const from_environment = std::getenv("STARPU_SCHED");
  std::string name = !scheduler.empty()            ? scheduler
                     : from_environment != nullptr ? from_environment
                                                   : "lws";
  // StarPU itself would print a line about an unknown name and take another policy.
  auto const known = schedulers();
  if (std::ranges::find(known, name) == known.end()) {
    throw BadInput(fmt::format("scheduling policy '{}' is unknown: there are {}", name,
                               fmt::join(known, ", ")));
  }
  return name;
}

Runtime::Runtime(std::string const& scheduler, int cpu_workers, int gpus)
    : scheduler_(check_scheduler(scheduler)) {
  prepare_sampling_folder();
  set_environment_defaults();
  if (gpus < 0) gpus = gpus_present();
  bool const ours = scheduler_ == locality_policy().policy_name;
  ForTheStart const policy("STARPU_SCHED", ours ? "lws" : scheduler_);  // it would not know ours
  // A GPU that exchanges with cores waits for their data now and then: it needs more tasks at hand.
  bool const cores_help = gpus > 0 && cpu_workers > 1;
  char const* const length = std::getenv("STARPU_CUDA_PIPELINE");
  ForTheStart const pipeline("STARPU_CUDA_PIPELINE",
                             length != nullptr ? length : (cores_help ? "4" : "2"));

  starpu_conf conf{};
  check_starpu(starpu_conf_init(&conf), "starpu_conf_init");
  if (ours) {
    conf.sched_policy = &locality_policy();
    conf.sched_policy_name = nullptr;
  } else {
    conf.sched_policy_name = scheduler_.c_str();
  }
  conf.precedence_over_environment_variables = 1;  // the numbers of workers are what was planned
  conf.catch_signals = 0;  // Ctrl-C is ours: it ends the run and writes what there is
  if (cpu_workers >= 0) conf.ncpus = cpu_workers;
  conf.ncuda = gpus;
  starpu_malloc_set_align(64);
  check_starpu(starpu_init(&conf), "starpu_init");
#ifdef TESSERA_HAS_CUDA
  create_gpu_streams();
#endif
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
}

Runtime::~Runtime() {
#ifdef TESSERA_HAS_CUDA
  destroy_gpu_streams();
#endif
  starpu_shutdown();
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

int Runtime::gpus_present() {
#ifdef TESSERA_HAS_CUDA
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
#endif
  return 0;
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
