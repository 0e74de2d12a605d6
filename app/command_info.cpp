// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/commands.hpp"
#include "cli/options.hpp"
#include "geometry/connectivity.hpp"
#include "geometry/pore_scale.hpp"

namespace tessera {
namespace {

int info(ImageOptions const& options) {
  Image const image = options.read();
  fmt::print("{}\n  format    {}\n  shape     {} x {} x {} voxels\n  sha256    {}\n",
             image.path.string(), image.format, image.shape.x, image.shape.y, image.shape.z,
             image.sha256);
  fmt::print("{}\n", histogram_text(image));

  Geometry const geometry = label_pores(image, options.rule());
  fmt::print("porosity    {:.6f} ({} pore voxels)\n", geometry.porosity(), geometry.pore_voxels());
  fmt::print("pore size   {:.2f} voxels (hydraulic diameter 4 V / S)\n\n",
             hydraulic_diameter(geometry, {}, geometry.shape));
  fmt::print("connected through     components   percolating porosity along x, y, z\n");
  for (auto const& [name, links] : {std::pair{"faces and edges (18)", Links::faces_and_edges},
                                    {"faces only (6)", Links::faces}}) {
    PoreComponents const components(geometry, links);
    fmt::print("  {:<20} {:>9}   ", name, components.count());
    for (Axis axis : all_axes) fmt::print("{:.6f}  ", components.percolating_porosity(axis));
    fmt::print("\n");
  }
  fmt::print("The flow uses faces and edges, as D3Q19 streams.\n");
  return done;
}

}  // namespace

Command add_info_command(CLI::App& command) {
  auto const options = std::make_shared<ImageOptions>();
  options->add_to(command);
  return [options] { return info(*options); };
}

}  // namespace tessera
