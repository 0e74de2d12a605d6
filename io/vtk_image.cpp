// SPDX-License-Identifier: MIT
// Images that VTK reads.
#include <fmt/format.h>

#include <fstream>
#include <string>
#include <string_view>

#include "io/element_type.hpp"
#include "io/image_readers.hpp"
#include "io/text.hpp"
#include "io/voxel_edges.hpp"
#include "io/vtk_module.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// The value of the line "key = value" of a MetaImage's header.
std::string header_value(fs::path const& path, std::string_view key) {
  std::ifstream file(path, std::ios::binary);
  constexpr int most_lines = 200;
  std::string line;
  for (int i = 0; i < most_lines && std::getline(file, line); ++i) {
    auto const equals = line.find('=');
    if (equals == std::string::npos) continue;
    auto const trimmed = [](std::string_view text) {
      auto const first = text.find_first_not_of(" \t\r");
      if (first == std::string_view::npos) return std::string_view{};
      return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
    };
    std::string_view const whole = line;
    if (trimmed(whole.substr(0, equals)) == key)
      return std::string(trimmed(whole.substr(equals + 1)));
  }
  return {};
}

/// The header, and the file of the voxels if that is another one.
std::vector<fs::path> files_of_meta_image(fs::path const& path) {
  std::string const data = header_value(path, "ElementDataFile");
  if (data.empty()) {
    throw BadInput(fmt::format("{}: a MetaImage without the line ElementDataFile", path.string()));
  }
  if (data == "LOCAL" || data == "Local" || data == "local") return {path};
  if (data.starts_with("LIST") || data.find('%') != std::string::npos) {
    throw BadInput(fmt::format("{}: its voxels stand in several files ({}), one was expected",
                               path.string(), printable(data)));
  }
  fs::path const file = data;
  return {path, file.is_absolute() ? file : path.parent_path() / file};
}

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

constexpr double millimetre = 1e-3;

}  // namespace

Image read_meta_image(fs::path const& path, std::optional<Int3> shape) {
  Image image;
  image.format = "MetaImage";
  image.files = files_of_meta_image(path);
  vtk_images(path).read_meta_image(
      path, checks(image, shape),
      takes(image, {.where = "ElementSpacing", .unit_m = {}, .usual_unit_m = millimetre}));
  return image;
}

Image read_vtk_image_data(fs::path const& path, std::string const& array,
                          std::optional<Int3> shape) {
  Image image;
  image.format = "VTK image data";
  image.files = {path};
  vtk_images(path).read_image_data(path, array, checks(image, shape),
                                   takes(image, {.where = "Spacing", .unit_m = {}}));
  return image;
}

}  // namespace tessera
