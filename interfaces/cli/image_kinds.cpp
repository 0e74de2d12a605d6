// SPDX-License-Identifier: MIT
#include "interfaces/cli/image_kinds.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string_view>
#include <utility>

#include "geometry/generate.hpp"
#include "interfaces/cli/unknown_word.hpp"
#include "interfaces/cli/values.hpp"

namespace tessera {
namespace {

/// "64" is a cube, "64,32,32" a box.
Int3 parse_size(std::string const& text) {
  if (text.find(',') != std::string::npos) return parse_shape("size", text);
  return parse_shape("size", text + "," + text + "," + text);
}

std::int64_t parse_edge(std::string const& text) {
  Int3 const size = parse_size(text);
  if (size.x != size.y || size.y != size.z)
    throw BadInput(setting_text("size", text) + ": a sphere array fills a cube");
  return size.x;
}

Axis one_axis(std::string_view name, std::string const& text) {
  if (text.size() == 1) {
    for (Axis a : all_axes) {
      if (text[0] == name_of(a)) return a;
    }
  }
  throw BadInput(setting_text(name, text) + ": expected x, y or z");
}

constexpr NameList<SphereLattice, 3> sphere_lattice_names{
    {{"sc", SphereLattice::sc}, {"bcc", SphereLattice::bcc}, {"fcc", SphereLattice::fcc}}};

}  // namespace

void ImageKinds::add_to(CLI::App& command, std::function<void(CLI::App&)> const& add) {
  command.require_subcommand(1);
  auto const shape = [&](char const* name, char const* description,
                         std::function<Geometry()> make) {
    CLI::App* const sub = command.add_subcommand(name, description);
    if (add) add(*sub);
    sub->callback([this, make = std::move(make)] { make_ = make; });
    return sub;
  };
  CLI::App* sub = shape("sphere-array", "Cell of a cubic array of spheres, periodic", [this] {
    return sphere_array(parse_name("lattice", lattice_, sphere_lattice_names), parse_edge(size_),
                        solid_fraction_);
  });
  sub->add_option("--lattice", lattice_, "sc, bcc or fcc")->capture_default_str();
  sub->add_option("--solid-fraction", solid_fraction_,
                  "Volume of the spheres over that of the cell")
      ->capture_default_str();
  sub->add_option("--size", size_, "Voxels along the edge")->capture_default_str();

  sub = shape("spheres", "Random spheres, periodic", [this] {
    auto const make = overlapping_ ? overlapping_spheres : separate_spheres;
    return make(parse_size(size_), radius_, porosity_, seed_).geometry;
  });
  sub->add_option("--size", size_, "Voxels: N for a cube, or X,Y,Z")->capture_default_str();
  sub->add_option("--radius", radius_, "Voxels")->capture_default_str();
  sub->add_option("--porosity", porosity_, "Spheres are added until the porosity is at most this")
      ->capture_default_str();
  sub->add_option("--seed", seed_, "The same seed gives the same image")->capture_default_str();
  sub->add_flag("--overlapping,!--separate", overlapping_,
                "Whether spheres may overlap (default: yes)")
      ->default_str("true");

  sub = shape("plates", "Parallel plates, periodic",
              [this] { return plates(gap_, walls_, one_axis("normal", axis_), width_); });
  sub->add_option("--gap", gap_, "Fluid layers")->capture_default_str();
  sub->add_option("--walls", walls_, "Solid layers")->capture_default_str();
  sub->add_option("--width", width_, "Voxels along the two other axes")->capture_default_str();
  sub->add_option("--normal", axis_, "Axis across the gap")->capture_default_str();

  auto const duct = [&](CLI::App* of) {
    of->add_option("--axis", axis_, "Axis along the duct")->capture_default_str();
    of->add_option("--length", length_, "Voxels along the duct")->capture_default_str();
  };
  sub = shape("rectangular-duct", "Duct of a x b voxels",
              [this] { return rectangular_duct(a_, b_, one_axis("axis", axis_), length_); });
  sub->add_option("-a", a_, "Fluid voxels along the first other axis")->capture_default_str();
  sub->add_option("-b", b_, "Fluid voxels along the second other axis")->capture_default_str();
  duct(sub);
  sub = shape("circular-duct", "Duct of circular section",
              [this] { return circular_duct(radius_, one_axis("axis", axis_), length_); });
  sub->add_option("--radius", radius_, "Voxels")->capture_default_str();
  duct(sub);
  sub = shape("triangular-duct", "Duct of equilateral triangular section",
              [this] { return triangular_duct(side_, one_axis("axis", axis_), length_); });
  sub->add_option("--side", side_, "Voxels")->capture_default_str();
  duct(sub);
}

void ImageKinds::choose(std::vector<std::string> const& words) {
  CLI::App app("", "tessera");
  app.set_help_flag();
  add_to(app);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (CLI::ParseError const& error) {
    throw BadInput(not_understood(app, error));
  }
}

}  // namespace tessera
