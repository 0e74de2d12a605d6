// SPDX-License-Identifier: MIT
#include "io/vtk_module.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/errors.hpp"
#include "io/module_path.hpp"

namespace tessera {
namespace {

#ifdef TESSERA_VTK_MODULE
constexpr std::string_view vtk_module = TESSERA_VTK_MODULE;
#else
constexpr std::string_view vtk_module;
#endif

}  // namespace

bool has_vtk() { return !vtk_module.empty() && std::filesystem::exists(module_path(vtk_module)); }

VtkImages& vtk_images(std::filesystem::path const& for_file) {
  if (!has_vtk()) {
    throw BadInput(fmt::format(
        "{}: this build has no VTK to read or write it (Debian: paraview-dev); images may be TIFF, "
        "NRRD, HDF5, .npy or raw",
        for_file.string()));
  }
  auto const images = reinterpret_cast<VtkImagesFunction>(
      symbol_of_module(vtk_module, vtk_images_name, for_file.string()));
  return *images();
}

}  // namespace tessera
