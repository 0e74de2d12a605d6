// SPDX-License-Identifier: MIT
// [geometry]: the box, or the image that it is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "case/file/case_parts.hpp"
#include "case/file/case_words.hpp"
#include "io/images/spelling.hpp"
#include "io/text.hpp"
#include "run/spread/image.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

Int3 whole_shape(SectionReader const& section) {
  auto const lengths = section.three("shape");
  Int3 shape;
  for (Axis a : all_axes) {
    double const n = lengths[index_of(a)];
    // A length in SI, divided by the voxel size, is not exact.
    constexpr double rounding = 1e-6;
    if (std::abs(n - std::round(n)) > rounding * n || std::round(n) < 1 || n > 1e9) {
      section.refuse_value("shape",
                           fmt::format("whole numbers of voxels along x, y, z, not {:.6g}", n));
    }
    shape[a] = std::llround(n);
  }
  constexpr double most_voxels = 0x1p40;  // as of an image
  if (lengths[0] * lengths[1] * lengths[2] > most_voxels)
    section.refuse_value("shape", "a box of at most 2^40 voxels");
  return shape;
}

/// Messages of who reads images and labels do not know of the case.
template <class Work>
auto at_key(SectionReader const& section, std::string_view key, Work&& work) {
  try {
    return work();
  } catch (BadInput const& error) {
    section.refuse(key, error.what());
  }
}

void read_image_keys(SectionReader const& section, fs::path const& folder, Case::Geometry& g) {
  ReadOptions options{.said_by = SaidBy::case_key};
  if (section.given("shape")) options.shape = whole_shape(section);
  options.dtype = section.text("dtype");
  options.header_bytes = section.whole("header-bytes");
  if (section.given("dataset")) options.dataset = section.text("dataset");
  options.axes = section.text("axes");
  if (section.given("crop")) {
    options.crop = crop_in(section.text("crop"));
    if (!options.crop)
      section.refuse_value("crop", "\"x0:x1,y0:y1,z0:z1\" with 0 <= x0 < x1 and so on");
  }
  fs::path const file = section.file("image", folder);
  g.image = at_key(section, "image",
                   [&] { return std::make_shared<Image const>(read_spread_image(file, options)); });
  g.shape = g.image->shape;
  if (section.given("threshold")) {
    for (char const* key : {"pore", "solid-labels"}) {
      if (section.given(key))
        section.refuse(key, fmt::format("'{}' and 'threshold' exclude each other: expected one of "
                                        "them",
                                        key));
    }
    g.pore.threshold =
        at_key(section, "threshold", [&] { return Threshold::parse(section.text("threshold")); });
    return;
  }
  if (section.given("pore"))
    g.pore.pore = at_key(section, "pore", [&] { return LabelSet::parse(section.text("pore")); });
  if (section.given("solid-labels")) {
    g.pore.solid = at_key(section, "solid-labels",
                          [&] { return LabelSet::parse(section.text("solid-labels")); });
  }
}

}  // namespace

Case::Geometry read_geometry(CaseReading const& reading, fs::path const& folder) {
  SectionReader const section(reading, "geometry");
  Case::Geometry g;
  if (section.given("image")) {
    read_image_keys(section, folder, g);
  } else {
    section.allow_only({"shape", "periodic"}, "says how to read an image, and there is none");
    g.shape = whole_shape(section);
  }
  if (section.given("periodic")) {
    for (std::string_view const axis : section.words("periodic"))
      g.periodic[index_of(named(axis_names, axis).value())] = true;
  }
  if (g.shape.z == 1) g.periodic[index_of(Axis::z)] = true;
  g.solids = read_solids(reading, folder, g);
  return g;
}

void complete_pore_rule(CaseReading const& reading, Case& c) {
  Case::Geometry& g = c.geometry;
  if (!g.image || g.pore.threshold) return;
  SectionReader const section(reading, "geometry");
  auto const histogram = at_key(section, "image", [&] {
    require_meaning_of_true_in_all(*g.image, g.pore);
    return label_histogram_of_all(*g.image);
  });
  LabelSet const pore = g.pore.pore_labels();
  std::vector<std::string> solid;
  if (g.pore.solid) solid.push_back(g.pore.solid->text());
  for (Case::Boundary const& boundary : c.boundaries) {
    if (boundary.place.kind == Case::PlaceKind::image_label) solid.push_back(boundary.place.text);
  }
  LabelSet const named = solid.empty() ? LabelSet() : LabelSet::parse(joined(solid, ","));
  std::vector<double> others;
  bool any_pore = false;
  for (LabelCount const& entry : histogram) {
    if (pore.contains(entry.label)) {
      any_pore = true;
    } else if (!named.contains(entry.label)) {
      others.push_back(entry.label);
    }
  }
  if (!any_pore) {
    section.refuse("image", fmt::format("no voxel of {} is pore: no label is in {}",
                                        g.image->path.string(), pore.text()));
  }
  if (others.size() > (g.pore.solid ? 0U : 1U)) {
    std::vector<std::string> parts;
    for (double const label : others) {
      if (parts.size() < 8) parts.push_back(label_text(label));
    }
    section.refuse("image",
                   fmt::format("labels {}{} of {} are neither pore nor solid: expected 'pore' or "
                               "'solid-labels' to name them, or a 'threshold'",
                               joined(parts, ", "), parts.size() < others.size() ? ", ..." : "",
                               g.image->path.string()));
  }
  if (!others.empty() && !solid.empty()) solid.push_back(label_text(others.front()));
  if (!solid.empty())
    g.pore.solid = at_key(section, "image", [&] { return LabelSet::parse(joined(solid, ",")); });
  if (auto const both = g.pore.solid ? pore.common_label(*g.pore.solid) : std::nullopt) {
    section.refuse("image", fmt::format("label {} is both pore and solid: expected 'pore' without "
                                        "it, or no condition on it",
                                        *both));
  }
}

}  // namespace tessera
