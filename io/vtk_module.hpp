// SPDX-License-Identifier: MIT
// What the module with VTK's readers and writers (io/vtk/) does for images and fields here. It is
// loaded when there is such a file, so that the command starts as fast without.
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

/// Voxels as VTK holds them, x fastest; they live until the call that shows them returns.
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

  /// `check` is shown the shape and type before memory is asked for, `take` then all. Throw
  /// BadInput.
  using Show = std::function<void(VtkVoxels const&)>;
  /// `array`: that of points or cells which is read; empty: the only one.
  virtual void read_image_data(std::filesystem::path const& path, std::string const& array,
                               Show const& check, Show const& take) = 0;

  /// The fields as cells, packed. Throws EnvironmentError.
  virtual void write_image_data(std::filesystem::path const& path, Int3 shape, double spacing_m,
                                std::span<Field const> fields) = 0;
};

/// What the module exports under this name: a function that returns the only one.
inline constexpr char const* vtk_images_name = "tessera_vtk_images";
using VtkImagesFunction = VtkImages* (*)();

/// Whether this build has the module, and it is there.
bool has_vtk();
/// Loads the module. Throws BadInput if this build has none.
VtkImages& vtk_images(std::filesystem::path const& for_file);

}  // namespace tessera
