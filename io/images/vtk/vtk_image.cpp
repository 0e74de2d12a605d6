// SPDX-License-Identifier: MIT
// Images that VTK reads.
#include <fmt/format.h>

#include <string>

#include "base/errors.hpp"
#include "io/images/element_type.hpp"
#include "io/images/image_readers.hpp"
#include "io/images/voxel_edges.hpp"
#include "io/images/vtk/vti_file.hpp"
#include "io/vtk_module.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

VtkImages::Show checks(Image& image, std::optional<Int3> shape) {
  return [&image, shape](VtkVoxels const& voxels) {
    image.shape = voxels.shape;
    std::size_t const volume = checked_volume(image.shape, image.files.front());
    require_shape(image.files.front(), image.shape, shape);
    require_room_in_files(image.files.front(), image.files, volume * voxels.type.bytes);
  };
}

VtkImages::Show takes(Image& image, SaidEdges said) {
  return [&image, said](VtkVoxels const& voxels) mutable {
    image.voxels = voxels_from(voxels.type, checked_volume(voxels.shape, image.files.front()),
                               voxels.values, image.files.front());
    image.format += fmt::format(", {}", name_of(voxels.type));
    said.values = voxels.spacing;
    note_edges(image, said);
  };
}

}  // namespace

Image read_vtk_image_data(fs::path const& path, std::string const& array,
                          std::optional<Int3> shape) {
  Image image;
  image.format = "VTK image data";
  image.files = {path};
  require_whole_vti(path);
  vtk_images(path).read_image_data(path, array, checks(image, shape),
                                   takes(image, {.where = "Spacing", .unit_m = {}}));
  return image;
}

}  // namespace tessera
