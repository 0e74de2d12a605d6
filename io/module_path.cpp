// SPDX-License-Identifier: MIT
#include "io/module_path.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <array>
#include <system_error>

#include "base/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// The program, or libtessera, if that is what this code went into.
fs::path this_object() {
  Dl_info info;
  link_map* map = nullptr;
  bool const found = dladdr1(reinterpret_cast<void const*>(&module_path), &info,
                             reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0;
  std::error_code error;
  if (found && map != nullptr && map->l_name != nullptr && *map->l_name != '\0')
    return fs::canonical(map->l_name, error);
  return fs::read_symlink("/proc/self/exe", error);
}

}  // namespace

fs::path module_path(std::string_view name) {
  fs::path const folder = this_object().parent_path();
  std::array const candidates{folder / name, folder / "tessera" / name,
                              folder.parent_path() / "lib/tessera" / name};
  std::error_code error;
  for (fs::path const& candidate : candidates) {
    if (fs::exists(candidate, error)) return candidate;
  }
  return candidates.back();
}

void* symbol_of_module(std::string_view name, char const* symbol, std::string_view purpose) {
  // Most symbols of ParaView's 400 libraries are never used.
  void* const library = dlopen(module_path(name).c_str(), RTLD_LAZY | RTLD_LOCAL);
  void* const found = library == nullptr ? nullptr : dlsym(library, symbol);
  if (found == nullptr) throw EnvironmentError(fmt::format("{}: {}", purpose, dlerror()));
  return found;
}

}  // namespace tessera
