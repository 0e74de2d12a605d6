// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "insitu/engine.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

#ifdef TESSERA_ENGINE
constexpr std::string_view module_name = TESSERA_ENGINE;
#else
constexpr std::string_view module_name;
#endif

/// The module stands beside the program, or, where that is installed, in lib/tessera.
fs::path module_path() {
  std::error_code error;
  fs::path const program = fs::read_symlink("/proc/self/exe", error).parent_path();
  fs::path const installed = program.parent_path() / "lib/tessera" / module_name;
  return fs::exists(installed, error) ? installed : program / module_name;
}

}  // namespace

void check_engine(std::string const& asked_by) {
  if (module_name.empty()) {
    throw BadInput(asked_by +
                   ": this build has no ParaView: expected one that was made where CMake finds it "
                   "(Debian: paraview-dev)");
  }
  if (!fs::exists(module_path())) {
    throw BadInput(
        fmt::format("{}: {} is not there: expected it beside the program, or in lib/tessera",
                    asked_by, module_path().string()));
  }
}

std::unique_ptr<Engine> load_engine() {
  // Never closed: ParaView and Python cannot be unloaded. Most symbols of the 400 libraries are
  // never used.
  void* const library = dlopen(module_path().c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) throw EnvironmentError(fmt::format("in situ: {}", dlerror()));
  auto const make = reinterpret_cast<EngineFactory>(dlsym(library, engine_factory_name));
  if (make == nullptr) throw EnvironmentError(fmt::format("in situ: {}", dlerror()));
  return std::unique_ptr<Engine>(make());
}

}  // namespace tessera
