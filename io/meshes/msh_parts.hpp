// SPDX-License-Identifier: MIT
// The content of the sections of an MSH file, before it becomes a mesh. For io/meshes/msh* alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/meshes/msh_elements.hpp"
#include "io/meshes/msh_input.hpp"

namespace tessera {

struct MshParts {
  /// An element; it is listed once for each of its physical groups, as in files of version 2.
  struct Element {
    MshElementType const* type;
    std::int32_t group;  ///< number of its physical group; 0: in none
    std::size_t first;   ///< of its nodes
  };
  /// Two entities that are the same in a periodic mesh, node by node.
  struct Link {
    std::int32_t dimension;
    std::vector<std::pair<std::int32_t, std::int32_t>> images;
  };

  std::map<std::pair<int, std::int32_t>, std::string>
      names;  ///< by dimension and number of a group
  std::vector<std::array<double, 3>> nodes;
  std::unordered_map<std::uint64_t, std::int32_t> node_of_tag;
  std::vector<Element> elements;
  std::vector<std::int32_t> element_nodes;
  std::vector<Link> periodic;

  void add_node(MshInput const& in, std::uint64_t tag, std::array<double, 3> const& place) {
    if (!node_of_tag.emplace(tag, static_cast<std::int32_t>(nodes.size())).second)
      in.refuse("node " + std::to_string(tag) + " comes twice");
    nodes.push_back(place);
  }
  std::int32_t node(MshInput const& in, std::uint64_t tag) const {
    auto const found = node_of_tag.find(tag);
    if (found == node_of_tag.end())
      in.refuse("there is no node " + std::to_string(tag) + ": expected one of $Nodes");
    return found->second;
  }
};

/// The type of an element; refuses types that do not occur in a mesh of quadrilaterals or
/// hexahedra.
inline MshElementType const& known_type(MshInput const& in, std::int32_t number) {
  MshElementType const* const type = msh_element_type(number);
  if (type == nullptr) {
    in.refuse(name_of_other_msh_element(number) +
              ": expected quadrilaterals or hexahedra of order 1 to 3, and their sides");
  }
  return *type;
}

/// Reads a section, from behind its "$Nodes" to its "$EndNodes"; false if the section is not used.
/// `binary`: whether the file is.
bool read_section_of_msh_2(MshInput& in, std::string_view section, bool binary, MshParts& parts);
/// Physical groups of entities (dimension and tag), which later sections need.
using MshGroups = std::map<std::pair<int, std::int32_t>, std::vector<std::int32_t>>;
bool read_section_of_msh_4(MshInput& in, std::string_view section, bool binary, MshGroups& groups,
                           MshParts& parts);

}  // namespace tessera
