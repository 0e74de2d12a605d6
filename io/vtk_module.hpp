// SPDX-License-Identifier: MIT
// The interface of the module with VTK's readers and writers (io/vtk/). The module is loaded when
// there is such a file, so that it does not slow down the start of the command.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "base/box.hpp"
#include "io/fields/field.hpp"
#include "io/images/element_type.hpp"

namespace tessera {

/// Voxels as VTK stores them, x fastest; valid until the call that passes them returns.
struct VtkVoxels {
  Int3 shape;
  ElementType type;
  void const* values = nullptr;
  std::array<double, 3> spacing{1, 1, 1};
};

class VtkImages {
 public:
  VtkImages() = default;
  virtual ~VtkImages() = default;
  VtkImages(VtkImages const&) = delete;
  VtkImages& operator=(VtkImages const&) = delete;

  /// `check` gets the shape and type before memory is allocated, `take` then all. Both may throw
  /// BadInput.
  using Show = std::function<void(VtkVoxels const&)>;
  /// `array`: name of the array of points or cells to read; empty: the only one.
  virtual void read_image_data(std::filesystem::path const& path, std::string const& array,
                               Show const& check, Show const& take) = 0;

  /// Writes the fields as cells, packed. Throws EnvironmentError.
  virtual void write_image_data(std::filesystem::path const& path, Int3 shape,
                                Spacing const& spacing, std::span<Field const> fields) = 0;
};

/// Name under which the module exports a function that returns its only VtkImages.
inline constexpr char const* vtk_images_name = "tessera_vtk_images";
using VtkImagesFunction = VtkImages* (*)();

/// Whether this build has the module, and its file exists.
bool has_vtk();
/// Loads the module. Throws BadInput if this build has none.
VtkImages& vtk_images(std::filesystem::path const& for_file);

}  // namespace tessera
