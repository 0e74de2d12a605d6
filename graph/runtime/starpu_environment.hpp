// SPDX-License-Identifier: MIT
// What StarPU reads from the environment: Tessera's defaults, and the user's settings, which
// outweigh them, checked before StarPU aborts on them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace tessera {

/// Throws BadInput for a value of STARPU_* that StarPU would abort on, crash on or hang with.
void check_starpu_environment();

/// Sets Tessera's defaults where the environment says nothing.
void set_starpu_defaults();

/// The folder in which StarPU keeps its measurements of the machine: $STARPU_PERF_MODEL_DIR, else
/// .starpu below $XDG_CACHE_HOME, $STARPU_HOME or $HOME. StarPU aborts if it cannot write there:
/// where a home cannot be written or is full, a temporary folder takes its place. Throws
/// EnvironmentError if no folder can be written.
std::filesystem::path prepare_sampling_folder();

/// Whether the user's settings say where workers are bound.
bool user_binds_workers();

/// At a limit of main memory (STARPU_LIMIT_CPU_MEM and its kin) StarPU waits for memory that is
/// never freed. Throws BadInput if a limit is below the bytes.
void check_memory_limits(std::size_t bytes);

/// Sets or removes a variable of the environment while StarPU starts: StarPU reads some settings
/// nowhere else, and a later runtime shall not inherit it.
class ForTheStart {
 public:
  ForTheStart(char const* name, std::optional<std::string> const& value);
  ~ForTheStart();
  ForTheStart(ForTheStart const&) = delete;
  ForTheStart& operator=(ForTheStart const&) = delete;

 private:
  char const* name_;
  std::optional<std::string> before_;
};

}  // namespace tessera
