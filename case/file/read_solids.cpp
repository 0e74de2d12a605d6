// SPDX-License-Identifier: MIT
// [[geometry.solid]].
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "case/file/case_parts.hpp"
#include "case/file/case_words.hpp"
#include "io/images/labels.hpp"
#include "io/images/spelling.hpp"
#include "io/text.hpp"
#include "run/spread/image.hpp"
#include "run/spread/same_files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// Whether the solid and the box of voxels have a point in common, as far as their bounds say.
bool touches_box(Case::Solid const& solid, Int3 shape) {
  for (Axis a : all_axes) {
    std::size_t const i = index_of(a);
    double half = solid.radius;
    double lower = solid.lower[i], upper = solid.upper[i];
    if (solid.shape != Case::SolidShape::box) {
      if (solid.shape == Case::SolidShape::cylinder && solid.axis == a) {
        if (!solid.length) continue;
        half = *solid.length / 2;
      }
      lower = solid.center[i] - half;
      upper = solid.center[i] + half;
    }
    if (upper <= 0 || lower >= static_cast<double>(shape[a])) return false;
  }
  return true;
}

Case::Solid read_solid(SectionReader const& section, fs::path const& folder, Int3 shape) {
  using enum Case::SolidShape;
  Case::Solid solid;
  solid.line = section.line();
  solid.shape = section.word_in(solid_shape_names, "shape");
  std::string const why = fmt::format("does not belong to shape = \"{}\"", section.text("shape"));
  switch (solid.shape) {
    case sphere:
      section.allow_only({"shape", "label", "outside", "center", "radius"}, why);
      solid.center = section.three("center");
      solid.radius = section.number("radius");
      break;
    case cylinder:
      section.allow_only({"shape", "label", "outside", "center", "radius", "axis", "length"}, why);
      solid.center = section.three("center");
      solid.radius = section.number("radius");
      solid.axis = section.word_in(axis_names, "axis");
      solid.length = section.number_if_given("length");
      break;
    case box:
      section.allow_only({"shape", "label", "outside", "lower", "upper"}, why);
      solid.lower = section.three("lower");
      solid.upper = section.three("upper");
      for (std::size_t i = 0; i < 3; ++i) {
        if (!(solid.lower[i] < solid.upper[i]))
          section.refuse_value("upper", "more than 'lower' along every axis");
      }
      break;
    case stl:
      section.allow_only({"shape", "label", "outside", "file", "scale", "translate"}, why);
      solid.stl = section.file("file", folder);
      expect_same_file_for_all(solid.stl);
      solid.scale = section.number_if_given("scale").value_or(1.0);
      solid.translate = section.three("translate");
      break;
  }
  if (section.given("label")) solid.label = section.text("label");
  solid.outside = section.flag("outside");
  if (solid.shape != stl && !touches_box(solid, shape)) {
    section.refuse("shape", fmt::format("the {} lies outside of the box of {} x {} x {} voxels: "
                                        "expected it to reach into the box",
                                        section.text("shape"), shape.x, shape.y, shape.z));
  }
  return solid;
}

/// Whether voxels of the image have this label, too.
bool is_of_image(std::string const& label, Case::Geometry const& geometry) {
  auto const number = number_in<std::int64_t>(label);
  if (!number || !geometry.image || geometry.pore.threshold) return false;
  auto const histogram = label_histogram_of_all(*geometry.image);
  auto const value = static_cast<double>(*number);
  return std::ranges::find(histogram, value, &LabelCount::label) != histogram.end();
}

void check_label(SectionReader const& section, Case::Solid const& solid,
                 Case::Geometry const& geometry) {
  if (solid.label.empty()) return;
  bool const looks_like_face =
      solid.label.size() <= 2 && std::string_view("xyz").find(solid.label[0]) != std::string::npos;
  if (looks_like_face || printable(solid.label) != solid.label)
    section.refuse_value("label", "a name that is not that of an axis or a face");
  if (is_of_image(solid.label, geometry)) {
    section.refuse_value(
        "label", fmt::format("a name that is not that of a label of {}, on which conditions are "
                             "with label = {}",
                             geometry.image->path.string(), solid.label));
  }
}

}  // namespace

std::vector<Case::Solid> read_solids(CaseReading const& reading, fs::path const& folder,
                                     Case::Geometry const& geometry) {
  std::vector<Case::Solid> solids;
  // Centers and radii may be formulas of the shape.
  CaseReading with_box = reading;
  add_box_constants(with_box, geometry.shape);
  for (SectionReader const& one : SectionReader::all(with_box, "geometry.solid")) {
    Case::Solid solid = read_solid(one, folder, geometry.shape);
    check_label(one, solid, geometry);
    solids.push_back(std::move(solid));
  }
  return solids;
}

}  // namespace tessera
