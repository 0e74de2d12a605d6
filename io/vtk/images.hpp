// SPDX-License-Identifier: MIT
// VTK's readers and writers of images; each format has a source of its own.
#pragma once

#include "io/vtk_module.hpp"

namespace tessera {

class Images : public VtkImages {
 public:
  void read_image_data(std::filesystem::path const& path, std::string const& array,
                       Show const& check, Show const& take) override;
  void write_image_data(std::filesystem::path const& path, Int3 shape, Spacing const& spacing,
                        std::span<Field const> fields) override;
};

}  // namespace tessera
