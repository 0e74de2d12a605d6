// SPDX-License-Identifier: MIT
// The types of elements in MSH files, and the order of their nodes. For io/meshes/msh* alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera {

/// A point, line, quadrilateral or hexahedron with all of its (order + 1)^dimension nodes.
struct MshElementType {
  std::int32_t number;
  int dimension;
  int order;
  std::size_t nodes() const;
};

/// A type by its number in the file; null for elements of other shapes and with other nodes.
MshElementType const* msh_element_type(std::int32_t number);

/// Names of common other elements, for messages: "a triangle".
std::string name_of_other_msh_element(std::int32_t number);

/// For each node of an element, in the order of the file, its place in a lattice of order + 1 nodes
/// along each axis, first axis fastest. Dimension 2 or 3. (Gmsh reference manual, "Node ordering":
/// corners, edges, faces, inside; faces and insides of high order recursively.)
std::vector<std::size_t> msh_node_places(int dimension, int order);

}  // namespace tessera
