// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "base/errors.hpp"
#include "insitu/engine.hpp"
#include "io/module_path.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

#ifdef TESSERA_ENGINE
constexpr std::string_view module_name = TESSERA_ENGINE;
#else
constexpr std::string_view module_name;
#endif

}  // namespace

void check_engine(std::string const& asked_by) {
  if (module_name.empty()) {
    throw BadInput(asked_by +
                   ": this build has no ParaView: expected one that was made where CMake finds it "
                   "(Debian: paraview-dev)");
  }
  fs::path const module = module_path(module_name);
  if (!fs::exists(module)) {
    throw BadInput(fmt::format("{}: {} is not there: expected it there, or beside the program",
                               asked_by, module.string()));
  }
}

std::unique_ptr<Engine> load_engine() {
  auto const make = reinterpret_cast<EngineFactory>(
      symbol_of_module(module_name, engine_factory_name, "in situ"));
  return std::unique_ptr<Engine>(make());
}

}  // namespace tessera
