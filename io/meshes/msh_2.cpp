// SPDX-License-Identifier: MIT
// Sections of MSH files of version 2.
#include <vector>

#include "io/meshes/msh_parts.hpp"

namespace tessera {
namespace {

/// With `parametric` each says the entity that it lies on, and where on it.
void read_nodes(MshInput& in, bool binary, bool parametric, MshParts& parts) {
  std::size_t const count = in.count_in_text("the number of nodes", 8);
  in.line();
  in.be_binary(binary);
  parts.nodes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto const tag = static_cast<std::uint64_t>(in.whole("the number of a node"));
    std::array<double, 3> place{};
    for (double& x : place) x = in.real("a coordinate");
    if (parametric) {
      std::int32_t const dimension = in.whole("the dimension of an entity");
      in.whole("the number of an entity");
      bool const has_parameters = dimension == 1 || dimension == 2;
      for (int u = 0; has_parameters && u < dimension; ++u) in.real("a parameter of a node");
    }
    parts.add_node(in, tag, place);
  }
}

/// Behind its number and its type.
void read_element(MshInput& in, MshElementType const& type, std::int32_t tags, MshParts& parts) {
  std::int32_t group = 0;
  for (std::int32_t t = 0; t < tags; ++t) {
    std::int32_t const tag = in.whole("a tag of an element");
    if (t == 0) group = tag;
  }
  parts.elements.push_back({&type, group, parts.element_nodes.size()});
  for (std::size_t n = 0; n < type.nodes(); ++n) {
    auto const tag = static_cast<std::uint64_t>(in.whole("a node of an element"));
    parts.element_nodes.push_back(parts.node(in, tag));
  }
}

void read_elements(MshInput& in, bool binary, MshParts& parts) {
  std::size_t const count = in.count_in_text("the number of elements", 8);
  in.line();
  in.be_binary(binary);
  parts.elements.reserve(count);
  for (std::size_t i = 0; i < count;) {
    // In binary files several of a type stand behind one head.
    std::int32_t of_head = 1;
    if (!binary) in.whole("the number of an element");
    MshElementType const& type = known_type(in, in.whole("the type of an element"));
    if (binary) of_head = in.whole("a number of elements");
    std::int32_t const tags = in.whole("the number of an element's tags");
    if (of_head < 1 || tags < 0 || static_cast<std::size_t>(of_head) > count - i)
      in.refuse("a number of elements or tags that cannot be");
    for (std::int32_t e = 0; e < of_head; ++e, ++i) {
      if (binary) in.whole("the number of an element");
      read_element(in, type, tags, parts);
    }
  }
}

/// Text in binary files, too.
void read_periodic_2(MshInput& in, MshParts& parts) {
  std::size_t const links = in.count_in_text("the number of periodic links", 2);
  for (std::size_t l = 0; l < links; ++l) {
    std::int32_t const dimension = in.whole("the dimension of a periodic link");
    for (int i = 0; i < 2; ++i) in.whole("an entity of a periodic link");
    if (in.takes("Affine")) in.line();
    std::size_t const count = in.count_in_text("the number of periodic nodes", 4);
    auto& images = parts.periodic.emplace_back(MshParts::Link{dimension, {}}).images;
    for (std::size_t n = 0; n < count; ++n) {
      std::int32_t const node = parts.node(in, in.size("a periodic node"));
      images.emplace_back(node, parts.node(in, in.size("a periodic node")));
    }
  }
}

}  // namespace

bool read_section_of_msh_2(MshInput& in, std::string_view section, bool binary, MshParts& parts) {
  if (section == "$Nodes" || section == "$ParametricNodes") {
    read_nodes(in, binary, section == "$ParametricNodes", parts);
  } else if (section == "$Elements") {
    read_elements(in, binary, parts);
  } else if (section == "$Periodic") {
    read_periodic_2(in, parts);
  } else {
    return false;
  }
  in.be_binary(false);
  return true;
}

}  // namespace tessera
