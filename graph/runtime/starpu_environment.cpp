// SPDX-License-Identifier: MIT
#include "graph/runtime/starpu_environment.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <starpu_config.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string_view>

#include "base/errors.hpp"
#include "graph/runtime/cores.hpp"
#include "graph/runtime/sampling_files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// StarPU reads these as whole numbers of 0 or more, and aborts on anything else.
constexpr char const* whole_numbers[] = {"STARPU_BACKOFF_MAX",
                                         "STARPU_BACKOFF_MIN",
                                         "STARPU_BUS_CALIBRATE",
                                         "STARPU_BUS_STATS",
                                         "STARPU_CALIBRATE",
                                         "STARPU_CALIBRATE_MINIMUM",
                                         "STARPU_CATCH_SIGNALS",
                                         "STARPU_CUDA_PIPELINE",
                                         "STARPU_CUDA_THREAD_PER_DEV",
                                         "STARPU_CUDA_THREAD_PER_WORKER",
                                         "STARPU_DIDUSE_BARRIER",
                                         "STARPU_DISABLE_ASYNCHRONOUS_COPY",
                                         "STARPU_DISABLE_ASYNCHRONOUS_CUDA_COPY",
                                         "STARPU_DISABLE_KERNELS",
                                         "STARPU_DISABLE_PINNING",
                                         "STARPU_DISK_SWAP_SIZE",
                                         "STARPU_DISPLAY_BINDINGS",
                                         "STARPU_ENABLE_CUDA_GPU_GPU_DIRECT",
                                         "STARPU_FXT_TRACE",
                                         "STARPU_GENERATE_TRACE",
                                         "STARPU_GLOBAL_ARBITER",
                                         "STARPU_HISTORY_MAX_ERROR",
                                         "STARPU_LIMIT_BANDWIDTH",
                                         "STARPU_LIMIT_CPU_MEM",
                                         "STARPU_LIMIT_CPU_NUMA_MEM",
                                         "STARPU_LIMIT_CUDA_MEM",
                                         "STARPU_LIMIT_MAX_SUBMITTED_TASKS",
                                         "STARPU_LIMIT_MIN_SUBMITTED_TASKS",
                                         "STARPU_MAIN_THREAD_BIND",
                                         "STARPU_MAIN_THREAD_COREID",
                                         "STARPU_MAIN_THREAD_CPUID",
                                         "STARPU_MAX_MEMORY_USE",
                                         "STARPU_MAX_PRIO",
                                         "STARPU_MAX_WORKERSIZE",
                                         "STARPU_MEMORY_STATS",
                                         "STARPU_MINIMUM_AVAILABLE_MEM",
                                         "STARPU_MINIMUM_CLEAN_BUFFERS",
                                         "STARPU_MIN_PRIO",
                                         "STARPU_MIN_WORKERSIZE",
                                         "STARPU_NCPU",
                                         "STARPU_NCPUS",
                                         "STARPU_NCUDA",
                                         "STARPU_NOPENCL",
                                         "STARPU_NTASKS_THRESHOLD",
                                         "STARPU_NTHREADS_PER_CORE",
                                         "STARPU_NWORKER_PER_CUDA",
                                         "STARPU_PCI_FLAT",
                                         "STARPU_PERF_MODEL_HOMOGENEOUS_CPU",
                                         "STARPU_PERF_MODEL_HOMOGENEOUS_CUDA",
                                         "STARPU_PREFETCH",
                                         "STARPU_PROFILING",
                                         "STARPU_RAND_SEED",
                                         "STARPU_RESERVE_NCPU",
                                         "STARPU_SCHED_READY",
                                         "STARPU_SILENT",
                                         "STARPU_SINGLE_COMBINED_WORKER",
                                         "STARPU_STATS",
                                         "STARPU_SYNTHESIZE_ARITY_COMBINED_WORKER",
                                         "STARPU_TARGET_AVAILABLE_MEM",
                                         "STARPU_TARGET_CLEAN_BUFFERS",
                                         "STARPU_TRACE_BUFFER_SIZE",
                                         "STARPU_USE_NUMA",
                                         "STARPU_WATCHDOG_CRASH",
                                         "STARPU_WATCHDOG_DELAY",
                                         "STARPU_WATCHDOG_TIMEOUT",
                                         "STARPU_WORKERS_GETBIND",
                                         "STARPU_WORKERS_NOBIND",
                                         "STARPU_WORKER_STATS",
                                         "STARPU_WORKER_TREE"};

/// StarPU reads these as numbers with a fraction, and aborts on anything else.
constexpr char const* numbers[] = {"STARPU_SCHED_ALPHA", "STARPU_SCHED_BETA", "STARPU_SCHED_GAMMA",
                                   "STARPU_IDLE_POWER", "STARPU_WINDOW_TIME_SIZE"};

[[noreturn]] void refuse(std::string_view name, std::string_view value,
                         std::string const& expected) {
  throw BadInput(fmt::format("{}={} in the environment: expected {}", name, value, expected));
}

void check_whole_number(char const* name) {
  char const* const value = std::getenv(name);
  if (value == nullptr || *value == '\0') return;  // StarPU takes an empty value for 0
  std::string_view const text = value;
  long long number = -1;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0)
    refuse(name, text, "a whole number, 0 or more");
}

void check_number(char const* name) {
  char const* const value = std::getenv(name);
  if (value == nullptr) return;
  char* end = nullptr;
  std::strtod(value, &end);
  if (end == value || *end != '\0') refuse(name, value, "a number");
}

/// Refuses a number outside of the range. The variable has passed check_whole_number().
void check_range(char const* name, long long least, long long most, char const* what) {
  char const* const value = std::getenv(name);
  if (value == nullptr) return;
  long long const number = std::atoll(value);
  if (number < least || number > most)
    refuse(name, value, fmt::format("{} to {}, {}", least, most, what));
}

/// Lists of CPUs: "0 2", "0,2", "0-3", "4-".
void check_list(char const* name) {
  static std::regex const list(R"( *\d{1,6}(-\d{0,6})?([ ,]+\d{1,6}(-\d{0,6})?)*[ ,]*)");
  char const* const value = std::getenv(name);
  if (value != nullptr && !std::regex_match(value, list))
    refuse(name, value, "numbers of CPUs, as 0,2 or 0-3");
}

/// A default that the user's environment overrides.
void set_default(char const* name, std::string const& value) { setenv(name, value.c_str(), 0); }

void set_or_unset(char const* name, std::optional<std::string> const& value) {
  if (value) {
    setenv(name, value->c_str(), 1);
  } else {
    unsetenv(name);
  }
}

/// Whether the folder has room for StarPU's files about the bus: it aborts on truncated ones.
bool has_room(fs::path const& folder) {
  constexpr off_t enough = 1 << 18;
  std::string name = folder / ".tessera-XXXXXX";
  int const descriptor = mkstemp(name.data());
  if (descriptor < 0) return false;
  unlink(name.c_str());
  bool const room = posix_fallocate(descriptor, 0, enough) == 0;
  close(descriptor);
  return room;
}

/// Whether StarPU can keep its measurements in this folder: it truncates names that are too long.
bool usable(fs::path const& sampling) {
  constexpr std::size_t longest = 200;
  if (sampling.native().size() > longest) return false;
  std::error_code error;
  fs::create_directories(sampling / "bus", error);
  if (error || access((sampling / "bus").c_str(), W_OK) != 0) return false;
  return knows_the_bus(sampling) || has_room(sampling / "bus");
}

}  // namespace

void check_starpu_environment() {
  for (char const* const name : whole_numbers) check_whole_number(name);
  for (char const* const name : numbers) check_number(name);
  for (char const* const name : {"STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID"}) check_list(name);
  for (char const* const name : {"STARPU_NCPU", "STARPU_NCPUS"})
    check_range(name, 0, STARPU_MAXCPUS, "as many as this StarPU is built for");
  check_range("STARPU_RESERVE_NCPU", 0, cores_with_reserved() - 1,
              "so that a core is left to compute");
  MachineCores const& here = machine_cores();
  check_range("STARPU_NTHREADS_PER_CORE", 1, std::max(1U, here.threads / here.cores),
              "the hardware threads of a core");
  check_range("STARPU_MAIN_THREAD_CPUID", 0, here.threads - 1, "the CPUs that can be used here");
  check_range("STARPU_MAIN_THREAD_COREID", 0, here.cores - 1, "the cores that can be used here");
  if (char const* const host = std::getenv("STARPU_HOSTNAME");
      host != nullptr && std::string_view(host).find('/') != std::string_view::npos)
    refuse("STARPU_HOSTNAME", host, "a name that files can have");
  if (char const* const folder = std::getenv("STARPU_PERF_MODEL_DIR");
      folder != nullptr && !usable(folder))
    refuse("STARPU_PERF_MODEL_DIR", folder, "a folder that can be written");
}

void set_starpu_defaults() {
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
  // A StarPU built with FxT would record every run; graph/runtime/trace.cpp asks for it.
  set_default("STARPU_FXT_TRACE", "0");
  // The thread that speaks MPI shares the cores that nobody is bound to.
  set_default("STARPU_MPI_NOBIND", "1");
  // All messages may be under way at the same time.
  set_default("STARPU_MPI_NDETACHED_SEND", "1000");
  set_default("STARPU_MPI_NREADY_PROCESS", "1000");
}

std::filesystem::path prepare_sampling_folder() {
  if (char const* const folder = std::getenv("STARPU_PERF_MODEL_DIR"); folder != nullptr)
    return folder;  // has been checked
  auto const below = [](fs::path const& home) { return home / ".starpu" / "sampling"; };
  // In the order in which StarPU asks.
  char const* home = nullptr;
  for (char const* const name : {"XDG_CACHE_HOME", "STARPU_HOME", "HOME"})
    if (home == nullptr) home = std::getenv(name);
  if (home != nullptr && usable(below(home))) return below(home);
  std::error_code no_such_folder;
  fs::path temporary = fs::temp_directory_path(no_such_folder);
  if (no_such_folder) temporary = "/tmp";
  fs::path folder = below(temporary / fmt::format("tessera-{}", getuid()));
  if (!usable(folder)) {
    throw EnvironmentError(fmt::format(
        "StarPU needs a folder to write to: set STARPU_HOME to one ({} is none)", folder.string()));
  }
  setenv("STARPU_PERF_MODEL_DIR", folder.c_str(), 1);  // outweighs all homes
  return folder;
}

bool user_binds_workers() {
  constexpr char const* names[] = {"STARPU_WORKERS_NOBIND", "STARPU_WORKERS_CPUID",
                                   "STARPU_WORKERS_COREID"};
  return std::ranges::any_of(names, [](char const* name) { return std::getenv(name) != nullptr; });
}

void check_memory_limits(std::size_t bytes) {
  for (char const* const name : {"STARPU_LIMIT_CPU_MEM", "STARPU_LIMIT_CPU_NUMA_MEM"}) {
    char const* const value = std::getenv(name);
    if (value == nullptr) continue;
    auto const needed = static_cast<long long>(bytes >> 20) + 1;
    if (std::atoll(value) < needed)
      refuse(name, value, fmt::format("at least {} (MB), which this flow needs", needed));
  }
}

ForTheStart::ForTheStart(char const* name, std::optional<std::string> const& value) : name_(name) {
  if (char const* const before = std::getenv(name); before != nullptr) before_ = before;
  set_or_unset(name, value);
}

ForTheStart::~ForTheStart() { set_or_unset(name_, before_); }

}  // namespace tessera
