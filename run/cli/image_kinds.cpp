// SPDX-License-Identifier: MIT
#include "run/cli/image_kinds.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <utility>

#include "base/errors.hpp"
#include "geometry/generate.hpp"
#include "run/cli/options.hpp"

namespace tessera {
namespace {

/// "64" is a cube, "64,32,32" a box.
Int3 parse_size(std::string const& text) {
  if (text.find(',') != std::string::npos) return parse_shape("--size", text);
  return parse_shape("--size", text + "," + text + "," + text);
}

std::int64_t parse_edge(std::string const& text) {
  Int3 const size = parse_size(text);
  if (size.x != size.y || size.y != size.z)
    throw BadInput("--size " + text + ": a sphere array fills a cube");
  return size.x;
}

Axis one_axis(std::string const& option, std::string const& text) {
  if (text.size() == 1) {
    for (Axis a : all_axes) {
      if (text[0] == name_of(a)) return a;
    }
  }
  throw BadInput(fmt::format("{} {}: expected x, y or z", option, text));
}

SphereLattice parse_lattice(std::string const& name) {
  static std::map<std::string, SphereLattice> const lattices{
      {"sc", SphereLattice::sc}, {"bcc", SphereLattice::bcc}, {"fcc", SphereLattice::fcc}};
  auto const found = lattices.find(name);
  if (found == lattices.end()) throw BadInput("--lattice " + name + ": expected sc, bcc or fcc");
  return found->second;
}

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
    return sphere_array(parse_lattice(lattice_), parse_edge(size_), solid_fraction_);
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
              [this] { return plates(gap_, walls_, one_axis("--normal", axis_), width_); });
  sub->add_option("--gap", gap_, "Fluid layers")->capture_default_str();
  sub->add_option("--walls", walls_, "Solid layers")->capture_default_str();
  sub->add_option("--width", width_, "Voxels along the two other axes")->capture_default_str();
  sub->add_option("--normal", axis_, "Axis across the gap")->capture_default_str();

  auto const duct = [&](CLI::App* of) {
    of->add_option("--axis", axis_, "Axis along the duct")->capture_default_str();
    of->add_option("--length", length_, "Voxels along the duct")->capture_default_str();
  };
  sub = shape("rectangular-duct", "Duct of a x b voxels",
              [this] { return rectangular_duct(a_, b_, one_axis("--axis", axis_), length_); });
  sub->add_option("-a", a_, "Fluid voxels along the first other axis")->capture_default_str();
  sub->add_option("-b", b_, "Fluid voxels along the second other axis")->capture_default_str();
  duct(sub);
  sub = shape("circular-duct", "Duct of circular section",
              [this] { return circular_duct(radius_, one_axis("--axis", axis_), length_); });
  sub->add_option("--radius", radius_, "Voxels")->capture_default_str();
  duct(sub);
  sub = shape("triangular-duct", "Duct of equilateral triangular section",
              [this] { return triangular_duct(side_, one_axis("--axis", axis_), length_); });
  sub->add_option("--side", side_, "Voxels")->capture_default_str();
  duct(sub);
}

}  // namespace tessera
