// SPDX-License-Identifier: MIT
#include "io/images/netcdf_module.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/errors.hpp"
#include "io/module_path.hpp"

namespace tessera {
namespace {

#ifdef TESSERA_NETCDF_MODULE
constexpr std::string_view netcdf_module = TESSERA_NETCDF_MODULE;
#else
constexpr std::string_view netcdf_module;
#endif

}  // namespace

std::unique_ptr<NetcdfFile> open_netcdf(std::filesystem::path const& path) {
  if (netcdf_module.empty() || !std::filesystem::exists(module_path(netcdf_module))) {
    throw BadInput(fmt::format(
        "{}: this build has no library to read classic NetCDF (Debian: libnetcdf-dev); see nccopy "
        "-k nc4",
        path.string()));
  }
  auto const open = reinterpret_cast<OpenNetcdf>(
      symbol_of_module(netcdf_module, open_netcdf_name, path.string()));
  return std::unique_ptr<NetcdfFile>(open(path));
}

}  // namespace tessera
