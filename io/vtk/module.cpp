// SPDX-License-Identifier: MIT
#include "io/vtk/images.hpp"

extern "C" __attribute__((visibility("default"))) tessera::VtkImages* tessera_vtk_images() {
  static tessera::Images images;
  return &images;
}
