// SPDX-License-Identifier: MIT
// [[boundary]]: conditions on faces of the box, on solids and on labels of the image.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "case/file/case_parts.hpp"
#include "case/file/case_words.hpp"
#include "case/file/expected.hpp"
#include "io/images/spelling.hpp"
#include "io/nearest_word.hpp"
#include "io/text.hpp"
#include "run/spread/image.hpp"

namespace tessera {
namespace {

using Type = Case::BoundaryType;
using Scheme = Case::Scheme;
using PlaceKind = Case::PlaceKind;

Schemes const& schemes_on(Type type, PlaceKind kind) {
  BoundaryTypeTraits const& traits = traits_of(type);
  return kind == PlaceKind::face    ? traits.on_faces
         : kind == PlaceKind::solid ? traits.on_solids
                                    : traits.on_image_labels;
}

/// Keys that a condition of this type may have.
std::vector<std::string_view> keys_of(Type type) {
  BoundaryTypeTraits const& traits = traits_of(type);
  std::vector<std::string_view> keys{"on", "label", "type"};
  if (traits.value == BoundaryValue::density) keys.insert(keys.end(), {"density", "pressure"});
  if (traits.value == BoundaryValue::velocity || traits.value == BoundaryValue::velocity_if_given)
    keys.emplace_back("velocity");
  if (traits.value != BoundaryValue::none) keys.emplace_back("factor");
  if (traits.has_schemes()) keys.emplace_back("scheme");
  return keys;
}

std::string described(Case::Place const& place) {
  switch (place.kind) {
    case PlaceKind::face:
      return fmt::format("face {}", place.text);
    case PlaceKind::solid:
      return fmt::format("solid '{}'", place.text);
    case PlaceKind::image_label:
      break;
  }
  return fmt::format("label {} of the image", place.text);
}

std::vector<std::string_view> names_of(Schemes const& schemes) {
  std::vector<std::string_view> names;
  for (Scheme scheme : schemes) names.push_back(name_of(scheme));
  return names;
}

Scheme read_scheme(SectionReader const& section, Type type, Case::Place const& place) {
  Schemes const& fitting = schemes_on(type, place.kind);
  if (fitting.empty()) {
    bool const on_solid = traits_of(type).on_faces.empty();
    section.refuse("type",
                   fmt::format("type = \"{}\" on {}: expected {}", name_of(type), described(place),
                               on_solid ? "the label of a [[geometry.solid]], whose surface "
                                          "is known"
                                        : "a face of the box"));
  }
  if (!section.given("scheme")) return *fitting.begin();
  Scheme const scheme = section.word_in(scheme_names, "scheme");
  if (std::ranges::find(fitting, scheme) == fitting.end()) {
    section.refuse("scheme", fmt::format("scheme = \"{}\" does not go with type = \"{}\" on {}: "
                                         "expected {}",
                                         name_of(scheme), name_of(type), described(place),
                                         one_of(names_of(fitting))));
  }
  return scheme;
}

/// The one of two keys that is given.
std::string_view either(SectionReader const& section, std::string_view one, std::string_view other,
                        std::string_view type) {
  if (section.given(one) == section.given(other)) {
    section.refuse(section.given(other) ? other : "type",
                   fmt::format("type = \"{}\" with {} {} {}: expected one of them", type,
                               section.given(one) ? "both" : "neither", one,
                               (section.given(one) ? "and " : "nor ") + std::string(other)));
  }
  return section.given(one) ? one : other;
}

SpaceFormula read_density(SectionReader const& section, double cs2) {
  if (either(section, "density", "pressure", "pressure") == "density")
    return section.space("density");
  return section.space("pressure").mapped(1, 1 / cs2);
}

Case::Boundary read_boundary(SectionReader const& section, Type type, Case::Place place,
                             double cs2) {
  Case::Boundary b;
  b.line = section.line();
  b.type = type;
  section.allow_only(keys_of(type), fmt::format("does not belong to type = \"{}\"", name_of(type)));
  b.scheme = read_scheme(section, type, place);
  BoundaryValue const value = traits_of(type).value;
  if (value == BoundaryValue::velocity || section.given("velocity"))
    b.velocity = section.space_three("velocity");
  if (value == BoundaryValue::density) b.density = read_density(section, cs2);
  b.factor = section.time("factor");
  b.place = std::move(place);
  return b;
}

/// Reads a condition with type = "periodic", on = "x": the axis wraps, with a jump of the density.
void read_jump(SectionReader const& section, Case& c, double cs2) {
  section.allow_only({"on", "type", "density-drop", "pressure-drop"},
                     "does not belong to type = \"periodic\"");
  std::string const on = section.text("on");
  auto const along = named(axis_names, on);
  if (!along) section.refuse_value("on", "an axis, x, y or z, for type = \"periodic\"");
  std::size_t const axis = index_of(*along);
  if (c.density_drop[axis] != 0)
    section.refuse("on", fmt::format("axis {} has a drop already: expected one", on));
  c.geometry.periodic[axis] = true;
  bool const by_density =
      either(section, "density-drop", "pressure-drop", "periodic") == "density-drop";
  c.density_drop[axis] =
      by_density ? section.number("density-drop") : section.number("pressure-drop") / cs2;
}

std::vector<Case::Place> places_of(SectionReader const& section, Case::Geometry const& geometry) {
  if (section.given("label")) return {place_of_label(section, geometry)};
  std::vector<Case::Place> places;
  for (std::string const& name : section.texts("on"))
    places.push_back(place_named(section, geometry, name));
  return places;
}

/// Refuses open boundaries beside a periodic jump of the density: both would set the density.
void check_drops(CaseReading const& reading, Case const& c) {
  if (c.density_drop == std::array<double, 3>{}) return;
  for (Case::Boundary const& b : c.boundaries) {
    if (!traits_of(b.type).open) continue;
    reading.refuse(b.line, fmt::format("type = \"{}\" beside a periodic axis with a drop of the "
                                       "density: expected one or the other",
                                       name_of(b.type)));
  }
}

void check_faces(CaseReading const& reading, Case const& c) {
  for (Case::Boundary const& b : c.boundaries) {
    if (b.place.kind != PlaceKind::face) continue;
    Axis const axis = axis_of(b.place.face);
    if (axis == Axis::z && c.geometry.shape.z == 1) {
      reading.refuse(b.line, fmt::format("a condition on {}, but nz = 1: expected none, as a plane "
                                         "flow has no faces along z",
                                         b.place.text));
    }
    if (c.geometry.periodic[index_of(axis)]) {
      reading.refuse(b.line, fmt::format("a condition on {}, but axis {} is periodic: expected one "
                                         "or the other",
                                         b.place.text, name_of(axis)));
    }
  }
}

}  // namespace

Case::Place place_named(SectionReader const& section, Case::Geometry const& geometry,
                        std::string const& name) {
  Case::Place place{.text = name};
  if (auto const face = named(face_names, name)) {
    place.face = *face;
    return place;
  }
  auto const solid = std::ranges::find(geometry.solids, name, &Case::Solid::label);
  if (solid != geometry.solids.end() && !name.empty()) {
    place.kind = PlaceKind::solid;
    place.solid = static_cast<std::size_t>(solid - geometry.solids.begin());
    return place;
  }
  std::vector<std::string_view> known = words_of(face_names);
  std::vector<std::string> labels;
  for (Case::Solid const& one : geometry.solids) {
    if (one.label.empty() || std::ranges::find(labels, one.label) != labels.end()) continue;
    known.emplace_back(one.label);
    labels.push_back(one.label);
  }
  bool const of_image = geometry.image && number_in<std::int64_t>(name);
  section.refuse(
      "on", fmt::format("on = \"{}\": there is no such place: expected x-, x+, y-, y+, "
                        "z-, z+ or the label of a solid{}{}",
                        printable(name), labels.empty() ? "" : " (" + joined(labels, ", ") + ")",
                        of_image ? fmt::format("; for a label of the image: label = {}", name)
                                 : did_you_mean(name, known)));
}

Case::Place place_of_label(SectionReader const& section, Case::Geometry const& geometry) {
  if (section.given("on"))
    section.refuse("label", "'on' and 'label' exclude each other: expected one of them");
  if (!section.is_plain_number("label")) {
    std::string const text = section.text("label");
    if (std::ranges::find(geometry.solids, text, &Case::Solid::label) != geometry.solids.end())
      section.refuse_value("label",
                           fmt::format("on = \"{}\", as it is the label of a solid", text));
  }
  std::int64_t const label = section.whole("label");
  if (!geometry.image || geometry.pore.threshold) {
    section.refuse("label", fmt::format("label = {}, but there is no image with labels: expected "
                                        "on = a face or the label of a solid",
                                        label));
  }
  auto const histogram = label_histogram_of_all(*geometry.image);
  auto const found = std::ranges::find(histogram, static_cast<double>(label), &LabelCount::label);
  if (found == histogram.end()) {
    std::vector<std::string> labels;
    for (LabelCount const& entry : histogram) {
      if (labels.size() < 12) labels.push_back(fmt::format("{}", entry.label));
    }
    section.refuse("label",
                   fmt::format("label = {}: no voxel of {} has it: expected one of {}", label,
                               geometry.image->path.string(), joined(labels, ", ")));
  }
  return {.kind = PlaceKind::image_label, .image_label = label, .text = fmt::format("{}", label)};
}

void read_boundaries(CaseReading const& reading, Case& c) {
  double const cs2 = velocities_of(c.model.lattice).sound_speed_squared;
  for (SectionReader const& section : SectionReader::all(reading, "boundary")) {
    std::string_view const word = section.word("type");
    if (word == periodic_type) {
      read_jump(section, c, cs2);
      continue;
    }
    Type const type = std::ranges::find(boundary_types, word, &BoundaryTypeTraits::name)->type;
    for (Case::Place& place : places_of(section, c.geometry)) {
      auto const same = std::ranges::find_if(c.boundaries, [&](Case::Boundary const& other) {
        return other.place.kind == place.kind && other.place.text == place.text;
      });
      if (same != c.boundaries.end()) {
        reading.refuse(section.line(), fmt::format("a second condition on {}, after that in line "
                                                   "{}: expected one",
                                                   described(place), same->line));
      }
      c.boundaries.push_back(read_boundary(section, type, std::move(place), cs2));
    }
  }
  check_faces(reading, c);
  check_drops(reading, c);
}

}  // namespace tessera
