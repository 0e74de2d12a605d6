// SPDX-License-Identifier: MIT
// Sections of MSH files of version 4.1: blocks of nodes and elements by the entities that they lie
// on.
#include <cstdlib>
#include <limits>
#include <vector>

#include "io/meshes/msh_parts.hpp"

namespace tessera {
namespace {

void read_entities(MshInput& in, MshGroups& groups) {
  constexpr std::size_t least_bytes = 8;
  std::array<std::size_t, 4> counts{};
  for (std::size_t& count : counts) count = in.count("a number of entities", least_bytes);
  for (int dimension = 0; dimension < 4; ++dimension) {
    for (std::size_t i = 0; i < counts[static_cast<std::size_t>(dimension)]; ++i) {
      std::int32_t const tag = in.whole("the number of an entity");
      for (int x = 0; x < (dimension == 0 ? 3 : 6); ++x) in.real("a bound of an entity");
      std::size_t const of_entity = in.count("a number of physical groups", 2);
      for (std::size_t g = 0; g < of_entity; ++g) {
        std::int32_t const group = in.whole("a physical group");
        if (group == std::numeric_limits<std::int32_t>::min())
          in.refuse("a physical group is -2^31: expected a smaller number");
        // The number is negative where the entity is turned round in the group.
        groups[{dimension, tag}].push_back(std::abs(group));
      }
      if (dimension == 0) continue;
      std::size_t const around = in.count("a number of entities", 2);
      for (std::size_t b = 0; b < around; ++b) in.whole("the number of an entity");
    }
  }
}

/// Refuses a section whose blocks do not hold as many as its header says.
void require_count(MshInput const& in, std::string_view what, std::size_t found,
                   std::size_t expected) {
  if (found == expected) return;
  in.refuse(std::to_string(found) + " " + std::string(what) + " in its blocks: expected " +
            std::to_string(expected));
}

void read_nodes(MshInput& in, MshParts& parts) {
  std::size_t const blocks = in.count("the number of blocks of nodes", 8);
  std::size_t const nodes = in.count("the number of nodes", 8);
  in.size("the least number of a node");
  in.size("the greatest number of a node");
  parts.nodes.reserve(nodes);
  std::size_t const before = parts.nodes.size();
  for (std::size_t b = 0; b < blocks; ++b) {
    std::int32_t const dimension = in.whole("the dimension of an entity");
    in.whole("the number of an entity");
    bool const parametric = in.whole("whether nodes are parametric") != 0;
    if (dimension < 0 || dimension > 3)
      in.refuse("the dimension of an entity is " + std::to_string(dimension) + ": expected 0 to 3");
    std::vector<std::uint64_t> tags(in.count("a number of nodes", 8));
    for (std::uint64_t& tag : tags) tag = in.size("the number of a node");
    for (std::uint64_t const tag : tags) {
      std::array<double, 3> place{};
      for (double& x : place) x = in.real("a coordinate");
      for (int u = 0; parametric && u < dimension; ++u) in.real("a parameter of a node");
      parts.add_node(in, tag, place);
    }
  }
  require_count(in, "nodes", parts.nodes.size() - before, nodes);
}

void read_elements(MshInput& in, MshGroups const& groups, MshParts& parts) {
  std::size_t const blocks = in.count("the number of blocks of elements", 8);
  std::size_t const elements = in.count("the number of elements", 4);
  in.size("the least number of an element");
  in.size("the greatest number of an element");
  parts.elements.reserve(elements);
  std::size_t read = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    std::int32_t const dimension = in.whole("the dimension of an entity");
    std::int32_t const entity = in.whole("the number of an entity");
    MshElementType const& type = known_type(in, in.whole("the type of an element"));
    auto const found = groups.find({dimension, entity});
    std::vector<std::int32_t> const none{0};
    std::size_t const count = in.count("a number of elements", 4);
    read += count;
    for (std::size_t e = 0; e < count; ++e) {
      in.size("the number of an element");
      for (std::int32_t const group : found == groups.end() ? none : found->second)
        parts.elements.push_back({&type, group, parts.element_nodes.size()});
      for (std::size_t n = 0; n < type.nodes(); ++n)
        parts.element_nodes.push_back(parts.node(in, in.size("a node of an element")));
    }
  }
  require_count(in, "elements", read, elements);
}

void read_periodic_4(MshInput& in, MshParts& parts) {
  std::size_t const links = in.count("the number of periodic links", 8);
  for (std::size_t l = 0; l < links; ++l) {
    std::int32_t const dimension = in.whole("the dimension of a periodic link");
    for (int i = 0; i < 2; ++i) in.whole("an entity of a periodic link");
    std::size_t const numbers = in.count("the number of an affine map's numbers", 2);
    for (std::size_t i = 0; i < numbers; ++i) in.real("a number of an affine map");
    std::size_t const count = in.count("the number of periodic nodes", 4);
    auto& images = parts.periodic.emplace_back(MshParts::Link{dimension, {}}).images;
    for (std::size_t n = 0; n < count; ++n) {
      std::int32_t const node = parts.node(in, in.size("a periodic node"));
      images.emplace_back(node, parts.node(in, in.size("a periodic node")));
    }
  }
}

}  // namespace

bool read_section_of_msh_4(MshInput& in, std::string_view section, bool binary, MshGroups& groups,
                           MshParts& parts) {
  in.be_binary(binary);
  bool known = true;
  if (section == "$Entities") {
    read_entities(in, groups);
  } else if (section == "$Nodes") {
    read_nodes(in, parts);
  } else if (section == "$Elements") {
    read_elements(in, groups, parts);
  } else if (section == "$Periodic") {
    read_periodic_4(in, parts);
  } else {
    known = false;
  }
  in.be_binary(false);
  return known;
}

}  // namespace tessera
