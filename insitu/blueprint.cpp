// SPDX-License-Identifier: MIT
#include "insitu/blueprint.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace tessera {
namespace {

/// The channel's node, as far as it is the same for all of them; returns where its mesh goes.
std::string begin_channel(NodeWriter& node, char const* name, char const* type) {
  std::string const channel = fmt::format("catalyst/channels/{}", name);
  node.text(channel + "/type", type);
  return channel + "/data";
}

/// Says that a field has a value for each element, and returns where its values go.
std::string field(NodeWriter& node, std::string const& mesh, std::string_view name) {
  std::string const path = fmt::format("{}/fields/{}", mesh, name);
  node.text(path + "/association", "element");
  node.text(path + "/topology", "mesh");
  node.text(path + "/volume_dependent", "false");
  return path + "/values";
}

void describe_image(NodeWriter& node, std::string const& mesh, ImageBlock const& block,
                    Frame const& frame) {
  auto const voxels = static_cast<std::size_t>(volume(block.shape));
  std::string const coordinates = mesh + "/coordsets/coords";
  node.text(coordinates + "/type", "uniform");
  for (Axis a : all_axes) {
    node.integer(fmt::format("{}/dims/{}", coordinates, "ijk"[index_of(a)]), block.shape[a] + 1);
    node.real(fmt::format("{}/origin/{}", coordinates, name_of(a)),
              frame.spacing * static_cast<double>(block.lower[a]));
    node.real(fmt::format("{}/spacing/d{}", coordinates, name_of(a)), frame.spacing);
  }
  node.text(mesh + "/topologies/mesh/type", "uniform");
  node.text(mesh + "/topologies/mesh/coordset", "coords");
  std::string const velocity = field(node, mesh, "velocity");
  for (Axis a : all_axes) {
    node.borrow_component(fmt::format("{}/{}", velocity, name_of(a)),
                          std::span(block.velocity, 3 * voxels), index_of(a));
  }
  node.borrow(field(node, mesh, "pressure"), std::span(block.pressure, voxels));
  node.borrow(field(node, mesh, "density"), std::span(block.density, voxels));
  node.borrow(field(node, mesh, "tile"), std::span(block.tile, voxels));
  node.borrow(field(node, mesh, "solid"), std::span(block.solid, voxels));
  node.borrow(field(node, mesh, "vtkGhostType"), std::span(block.ghost, voxels));
  node.integer(mesh + "/state/fields/in_si", frame.in_si ? 1 : 0);
  node.text(mesh + "/state/metadata/vtk_fields/vtkGhostType/attribute_type", "Ghosts");
}

void describe_fluid(NodeWriter& node, Frame const& frame) {
  bool const one = frame.blocks.size() == 1;
  std::string const data = begin_channel(node, "fluid", one ? "mesh" : "multimesh");
  for (std::size_t b = 0; b < frame.blocks.size(); ++b) {
    describe_image(node, one ? data : fmt::format("{}/block{}", data, b), frame.blocks[b], frame);
  }
}

/// Points by themselves, each an element.
void describe_points(NodeWriter& node, std::string const& mesh,
                     std::vector<double> const (&coordinates)[3]) {
  node.text(mesh + "/coordsets/coords/type", "explicit");
  for (Axis a : all_axes) {
    node.reals(fmt::format("{}/coordsets/coords/values/{}", mesh, name_of(a)),
               coordinates[index_of(a)]);
  }
  node.text(mesh + "/topologies/mesh/type", "points");
  node.text(mesh + "/topologies/mesh/coordset", "coords");
}

void describe_monitor(NodeWriter& node, Frame const& frame) {
  std::string const mesh = begin_channel(node, "monitor", "mesh");
  describe_points(node, mesh, {{0}, {0}, {0}});
  for (auto const& [name, value] : columns_of(frame))
    node.reals(field(node, mesh, name), std::span(&value, 1));
}

void describe_tiles(NodeWriter& node, Frame const& frame) {
  std::string const mesh = begin_channel(node, "tiles", "mesh");
  std::vector<double> centres[3];
  std::vector<double> tile, domain, worker, seconds, nodes;
  for (TileRow const& row : frame.tiles) {
    for (Axis a : all_axes) {
      centres[index_of(a)].push_back(0.5 * frame.spacing *
                                     static_cast<double>(row.lower[a] + row.upper[a]));
    }
    tile.push_back(row.tile);
    domain.push_back(row.domain);
    worker.push_back(row.worker);
    seconds.push_back(row.seconds);
    nodes.push_back(static_cast<double>(row.nodes));
  }
  describe_points(node, mesh, centres);
  node.reals(field(node, mesh, "tile"), tile);
  node.reals(field(node, mesh, "domain"), domain);
  node.reals(field(node, mesh, "worker"), worker);
  node.reals(field(node, mesh, "seconds"), seconds);
  node.reals(field(node, mesh, "nodes"), nodes);
}

void describe_walls(NodeWriter& node, Frame const& frame) {
  if (frame.walls == nullptr) return;
  WallSurface const& walls = *frame.walls;
  std::string const mesh = begin_channel(node, "walls", "mesh");
  // Conduit wants each coordinate by itself; interleaved ones are taken apart.
  std::vector<double> coordinates[3], stress[3];
  for (std::size_t i = 0; i < walls.points.size(); ++i)
    coordinates[i % 3].push_back(static_cast<double>(walls.points[i]));
  for (std::size_t i = 0; i < walls.wall_shear_stress.size(); ++i)
    stress[i % 3].push_back(static_cast<double>(walls.wall_shear_stress[i]));
  node.text(mesh + "/coordsets/coords/type", "explicit");
  std::string const values = field(node, mesh, "wall_shear_stress");
  for (Axis a : all_axes) {
    node.reals(fmt::format("{}/coordsets/coords/values/{}", mesh, name_of(a)),
               coordinates[index_of(a)]);
    node.reals(fmt::format("{}/{}", values, name_of(a)), stress[index_of(a)]);
  }
  node.text(mesh + "/topologies/mesh/type", "unstructured");
  node.text(mesh + "/topologies/mesh/coordset", "coords");
  node.text(mesh + "/topologies/mesh/elements/shape", "quad");
  node.borrow(mesh + "/topologies/mesh/elements/connectivity", std::span(walls.quads));
}

}  // namespace

void describe_scripts(std::vector<Script> const& scripts, std::filesystem::path const& folder,
                      NodeWriter& node) {
  for (std::size_t s = 0; s < scripts.size(); ++s) {
    std::string const script = fmt::format("catalyst/scripts/script{}", s);
    node.text(script + "/filename", scripts[s].file.string());
    for (std::string const& argument : scripts[s].arguments)
      node.append_text(script + "/args", argument);
  }
  // Not in the protocol: for scripts that want to know.
  node.text("tessera/folder", folder.string());
}

void describe_frame(Frame const& frame, NodeWriter& node) {
  node.integer("catalyst/state/timestep", frame.step);
  node.real("catalyst/state/time", frame.time);
  if (!frame.blocks.empty()) describe_fluid(node, frame);
  describe_walls(node, frame);
  if (frame.monitor_is_here) describe_monitor(node, frame);
  describe_tiles(node, frame);
}

}  // namespace tessera
