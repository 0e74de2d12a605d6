// SPDX-License-Identifier: MIT
#include "geometry/connectivity.hpp"
#include "geometry/pore_scale.hpp"
#include "interfaces/api/tessera.hpp"
#include "interfaces/cli/image_kinds.hpp"
#include "interfaces/cli/image_options.hpp"
#include "interfaces/cpp/called.hpp"
#include "io/images/labels.hpp"
#include "io/json.hpp"
#include "permeability/flows/image_flows.hpp"
#include "permeability/permeability_plan.hpp"
#include "tessera_version.hpp"

namespace tessera {
namespace {

Json percolating(Geometry const& geometry, Links links) {
  PoreComponents const components(geometry, links);
  Json json{{"components", components.count()}, {"percolating_porosity", Json::object()}};
  for (Axis const axis : all_axes) {
    json["percolating_porosity"][std::string{name_of(axis)}] =
        components.percolating_porosity(axis);
  }
  return json;
}

}  // namespace

GeneratedImage generate(std::vector<std::string> const& words) {
  GeneratedImage made;
  guarded([&] {
    ImageKinds kinds;
    kinds.choose(words);
    Geometry geometry = kinds.make();
    Int3 const shape = geometry.shape;
    made = {.shape = {shape.z, shape.y, shape.x}, .pore = std::move(geometry.pore)};
  });
  return made;
}

std::string info(VoxelArray const& image, Labels const& labels) {
  std::string text;
  guarded(image.axis_names, {}, [&] {
    PermeabilityRequest const request{.image = image_request(labels)};
    Geometry const geometry = label_pores(image_of(image), request.image.rule);
    ImageFlows const flows(request);
    std::int64_t const nodes = geometry.pore_voxels();
    ExpectedCost const cost = expected_cost(
        nodes, flows.asked(), expected_speed(flows.plan(nodes).workers, flows.asked()));
    text = Json{{"shape", {geometry.shape.z, geometry.shape.y, geometry.shape.x}},
                {"porosity", geometry.porosity()},
                {"pore_voxels", nodes},
                {"hydraulic_diameter", hydraulic_diameter(geometry, {}, geometry.shape)},
                {"faces_and_edges", percolating(geometry, Links::faces_and_edges)},
                {"faces", percolating(geometry, Links::faces)},
                {"k_takes", {{"memory_bytes", cost.bytes}, {"seconds", cost.seconds}}}}
               .dump();
  });
  return text;
}

std::string version_text() { return version; }

}  // namespace tessera
