// SPDX-License-Identifier: MIT
#include "io/images/tiff/tiff_voxel_size.hpp"

#include <fmt/format.h>

#include <charconv>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "io/images/tiff/tiff_ome.hpp"
#include "io/images/voxel_edges.hpp"

namespace tessera {
namespace {

/// ImageJ: pixels per unit in the resolution tags, the distance of slices in the description.
void note_imagej_edges(Image& image, TiffFile const& file, std::string_view description) {
  constexpr std::string_view key = "\nunit=";
  auto const at = description.find(key);
  if (at == std::string_view::npos) return;
  std::string_view unit = description.substr(at + key.size());
  unit = unit.substr(0, unit.find('\n'));
  auto const along_x = file.tag<float>(TIFFTAG_XRESOLUTION, 0);
  auto const along_y = file.tag<float>(TIFFTAG_YRESOLUTION, 0);
  if (!(along_x > 0) || !(along_y > 0)) return;
  // Resolutions are kept in 32 bits: 1/2.25 is to give 2.25.
  auto const edge = [](float resolution) {
    return std::stod(fmt::format("{:.6g}", 1 / static_cast<double>(resolution)));
  };
  double const across = edge(along_x);
  SaidEdges said{.values = {across, edge(along_y), imagej_number(description, "spacing", across)},
                 .where = "ImageJ voxel size",
                 .unit_m = {},
                 .unknown_unit = {}};
  said.note_unit(unit);
  if (said.unit_m || !said.unknown_unit.empty()) note_edges(image, said);
}

/// OME-XML: PhysicalSizeX and so on, in micrometres unless it says otherwise.
void note_ome_edges(Image& image, TiffFile const& file) {
  OmeHeader const header(file);
  pugi::xml_node const pixels = header.pixels();
  SaidEdges said{.where = "OME PhysicalSize", .unit_m = {}, .unknown_unit = {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::string const key = fmt::format("PhysicalSize{}", "XYZ"[axis]);
    double const value = pixels.attribute(key.c_str()).as_double(0);
    if (!(value > 0)) {
      // Without a word on the distance of slices, as between columns.
      if (axis < 2) return;
      said.values[2] = said.values[0];
      continue;
    }
    said.values[axis] = value;
    said.note_unit(axis, pixels.attribute((key + "Unit").c_str()).as_string("um"));
    if (!said.unit_m) break;
  }
  if (said.unit_m || !said.unknown_unit.empty()) note_edges(image, said);
}

}  // namespace

double imagej_number(std::string_view description, std::string_view key, double fallback) {
  std::string const line_start = fmt::format("\n{}=", key);
  auto const at = description.find(line_start);
  if (at == std::string_view::npos) return fallback;
  std::string_view const digits = description.substr(at + line_start.size());
  double number = fallback;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

void note_tiff_edges(Image& image, TiffFile const& file) {
  std::string const description = file.description();
  if (description.starts_with("ImageJ=")) {
    note_imagej_edges(image, file, description);
  } else if (is_ome(description)) {
    note_ome_edges(image, file);
  }
}

}  // namespace tessera
