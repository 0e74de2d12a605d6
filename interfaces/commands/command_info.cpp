// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "geometry/connectivity.hpp"
#include "geometry/pore_scale.hpp"
#include "interfaces/cli/image_options.hpp"
#include "interfaces/commands/commands.hpp"
#include "io/fields/write_image.hpp"
#include "permeability/flows/image_flows.hpp"
#include "permeability/permeability_plan.hpp"
#include "run/console/log.hpp"
#include "run/provenance.hpp"

namespace tessera {
namespace {

struct InfoOptions {
  ImageOptions image;
  Labels labels;
  std::string write;
};

int info(InfoOptions const& asked) {
  PermeabilityRequest const flow{.image = asked.image.request(asked.labels)};
  if (!asked.write.empty()) check_image_name(asked.write);
  Image image = flow.image.read();
  Int3 const shape = image.shape;
  // To look at it nobody has to say what its voxels shall be.
  if (auto const why = voxels_are_no_cubes(image)) {
    log_warning(*why);
    image.edges.reset();
  }
  ImageResult const described = image_result(image, flow.image, std::nullopt);
  std::string const size = voxel_size_text(described);
  fmt::print("{}\n  format    {}\n  shape     {} x {} x {} voxels{} along x, y, z\n",
             image.path.string(), image.format, shape.x, shape.y, shape.z, size);
  fmt::print("  in NumPy  im[z, y, x], shape ({}, {}, {})\n  sha256    {}\n", shape.z, shape.y,
             shape.x, image.sha256);
  fmt::print("{}\n", histogram_text(image));

  Geometry const geometry = label_pores(image, flow.image.rule);
  fmt::print("porosity    {:.6f} ({} pore voxels)\n", geometry.porosity(), geometry.pore_voxels());
  fmt::print("pore size   {:.2f} voxels (hydraulic diameter 4 V / S)\n",
             hydraulic_diameter(geometry, {}, geometry.shape));
  ImageFlows const flows(flow);
  ExpectedSpeed const speed =
      expected_speed(flows.plan(geometry.pore_voxels()).workers, flows.asked());
  fmt::print("k takes     {} (more: tessera permeability --check)\n\n",
             describe_cost(expected_cost(geometry.pore_voxels(), flows.asked(), speed)));
  fmt::print("connected through     components   percolating porosity along x, y, z\n");
  for (auto const& [name, links] : {std::pair{"faces and edges (18)", Links::faces_and_edges},
                                    {"faces only (6)", Links::faces}}) {
    PoreComponents const components(geometry, links);
    fmt::print("  {:<20} {:>9}   ", name, components.count());
    for (Axis axis : all_axes) fmt::print("{:.6f}  ", components.percolating_porosity(axis));
    fmt::print("\n");
  }
  fmt::print("The flow uses faces and edges, as D3Q19 streams.\n");
  if (!asked.write.empty()) {
    write_image(asked.write, geometry.shape, geometry.pore, described.voxel_size_m.value_or(1));
    fmt::print("\n{}: 1 is pore, 0 is solid\n", asked.write);
  }
  return done;
}

}  // namespace

Command add_info_command(CLI::App& command) {
  auto const options = std::make_shared<InfoOptions>();
  options->image.add_to(command, options->labels);
  command.add_option("--write", options->write,
                     "Write what is pore (1) and what solid (0): .raw, .tif, .npz, .vti, .vtkhdf");
  return [options] {
    set_up_log(Verbosity::normal);
    return info(*options);
  };
}

}  // namespace tessera
