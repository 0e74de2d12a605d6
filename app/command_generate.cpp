// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "app/commands.hpp"
#include "cli/options.hpp"
#include "geometry/generate.hpp"
#include "io/image_origin.hpp"
#include "io/results_json.hpp"
#include "io/write_image.hpp"
#include "lattice/errors.hpp"
#include "run/performance.hpp"
#include "run/provenance.hpp"

namespace tessera {
namespace {

struct GenerateOptions {
  std::string out;
  std::string lattice = "sc";
  std::string size = "64";
  double solid_fraction = 0.216;
  double porosity = 0.3;
  double radius = 10;
  std::uint64_t seed = 1;
  bool overlapping = true;
  std::int64_t gap = 20;
  std::int64_t walls = 1;
  std::int64_t width = 8;
  std::int64_t a = 20;
  std::int64_t b = 20;
  double side = 40;
  std::int64_t length = 8;
  std::string axis = "x";
};

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

/// The kind, and the value of each option that shapes it.
Json parameters_of(CLI::App const& kind) {
  Json generated{{"kind", kind.get_name()}};
  for (CLI::Option const* option : kind.get_options()) {
    if (option->get_lnames() == std::vector<std::string>{"out"} || option == kind.get_help_ptr())
      continue;
    std::string const text =
        option->count() > 0 ? option->as<std::string>() : option->get_default_str();
    std::string const key =
        option->get_lnames().empty() ? option->get_snames().front() : option->get_lnames().front();
    Json const value = Json::parse(text, nullptr, false);
    generated[key] = value.is_discarded() ? Json(text) : value;
  }
  return generated;
}

int write(Geometry const& geometry, std::string const& out, CLI::App const& kind,
          RunResult const& run) {
  // The labels of most published images: 0 pore, 1 solid.
  std::vector<std::uint8_t> labels(geometry.pore.size());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = geometry.pore[i] != 0 ? 0 : 1;
  write_image(out, geometry.shape, labels);
  write_origin(out, parameters_of(kind),
               {{"shape", {geometry.shape.x, geometry.shape.y, geometry.shape.z}},
                {"dtype", "uint8"},
                {"pore", 0},
                {"solid", 1},
                {"porosity", geometry.porosity()},
                {"run", to_json(run)},
                {"software", to_json(software_result())}});
  fmt::print("{}: {} x {} x {} voxels of uint8, 0 pore, 1 solid, porosity {:.6f}\n", out,
             geometry.shape.x, geometry.shape.y, geometry.shape.z, geometry.porosity());
  return done;
}

}  // namespace

Command add_generate_command(CLI::App& command) {
  auto const o = std::make_shared<GenerateOptions>();
  auto const chosen = std::make_shared<std::function<Geometry()>>();
  command.require_subcommand(1);

  auto const shape = [&](char const* name, char const* description,
                         std::function<Geometry()> make) {
    CLI::App* const sub = command.add_subcommand(name, description);
    sub->add_option("--out", o->out, "File to write: .raw or .tif")->required();
    sub->callback([chosen, make = std::move(make)] { *chosen = make; });
    return sub;
  };
  CLI::App* sub = shape("sphere-array", "Cell of a cubic array of spheres, periodic", [o] {
    return sphere_array(parse_lattice(o->lattice), parse_edge(o->size), o->solid_fraction);
  });
  sub->add_option("--lattice", o->lattice, "sc, bcc or fcc")->capture_default_str();
  sub->add_option("--solid-fraction", o->solid_fraction,
                  "Volume of the spheres over that of the cell")
      ->capture_default_str();
  sub->add_option("--size", o->size, "Voxels along the edge")->capture_default_str();

  sub = shape("spheres", "Random spheres, periodic", [o] {
    auto const make = o->overlapping ? overlapping_spheres : separate_spheres;
    return make(parse_size(o->size), o->radius, o->porosity, o->seed).geometry;
  });
  sub->add_option("--size", o->size, "Voxels: N for a cube, or X,Y,Z")->capture_default_str();
  sub->add_option("--radius", o->radius, "Voxels")->capture_default_str();
  sub->add_option("--porosity", o->porosity, "Spheres are added until the porosity is at most this")
      ->capture_default_str();
  sub->add_option("--seed", o->seed, "The same seed gives the same image")->capture_default_str();
  sub->add_flag("--overlapping,!--separate", o->overlapping,
                "Whether spheres may overlap (default: yes)")
      ->default_str("true");

  sub = shape("plates", "Parallel plates, periodic",
              [o] { return plates(o->gap, o->walls, one_axis("--normal", o->axis), o->width); });
  sub->add_option("--gap", o->gap, "Fluid layers")->capture_default_str();
  sub->add_option("--walls", o->walls, "Solid layers")->capture_default_str();
  sub->add_option("--width", o->width, "Voxels along the two other axes")->capture_default_str();
  sub->add_option("--normal", o->axis, "Axis across the gap")->capture_default_str();

  auto const duct = [&](CLI::App* of) {
    of->add_option("--axis", o->axis, "Axis along the duct")->capture_default_str();
    of->add_option("--length", o->length, "Voxels along the duct")->capture_default_str();
  };
  sub = shape("rectangular-duct", "Duct of a x b voxels",
              [o] { return rectangular_duct(o->a, o->b, one_axis("--axis", o->axis), o->length); });
  sub->add_option("-a", o->a, "Fluid voxels along the first other axis")->capture_default_str();
  sub->add_option("-b", o->b, "Fluid voxels along the second other axis")->capture_default_str();
  duct(sub);
  sub = shape("circular-duct", "Duct of circular section",
              [o] { return circular_duct(o->radius, one_axis("--axis", o->axis), o->length); });
  sub->add_option("--radius", o->radius, "Voxels")->capture_default_str();
  duct(sub);
  sub = shape("triangular-duct", "Duct of equilateral triangular section",
              [o] { return triangular_duct(o->side, one_axis("--axis", o->axis), o->length); });
  sub->add_option("--side", o->side, "Voxels")->capture_default_str();
  duct(sub);

  return [o, chosen, &command] {
    RunResult const run = this_run();
    return write((*chosen)(), o->out, *command.get_subcommands().front(), run);
  };
}

}  // namespace tessera
