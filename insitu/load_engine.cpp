// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "insitu/engine.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

#ifdef TESSERA_ENGINE
constexpr char const* module_name = TESSERA_ENGINE;
#else
constexpr char const* module_name = nullptr;
#endif

/// The module stands beside the program.
fs::path module_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path() / module_name;
}

}  // namespace

void check_engine(std::string const& asked_by) {
  if (module_name == nullptr) {
    throw BadInput(asked_by +
                   ": this build has no ParaView: expected one that was made where CMake finds it "
                   "(Debian: paraview-dev)");
  }
  if (!fs::exists(module_path())) {
    throw BadInput(fmt::format("{}: {} is not there: expected it beside the program", asked_by,
                               module_path().string()));
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
