// SPDX-License-Identifier: MIT
// Meshes of Gmsh, versions 2.2 and 4.1 of its format, as text or binary (Gmsh reference manual,
// "MSH file format"): the parts that a method on quadrilaterals or hexahedra needs.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

/// A mesh; nodes are numbered from 0 in the order of the file.
struct MshMesh {
  int dimension = 0;  ///< of the cells: 2 quadrilaterals, 3 hexahedra
  int order = 0;      ///< of all cells, 1 to 3
  std::vector<std::array<double, 3>> nodes;
  /// The (order + 1)^dimension nodes of each cell, equally spaced in it, along its first axis
  /// fastest.
  std::vector<std::int32_t> cells;

  std::vector<std::string> groups;  ///< physical groups of sides, by name; "7" if it has none
  /// The corners of each side that is in a group, 2^(dimension - 1) each, in any order, and its
  /// group.
  std::vector<std::int32_t> sides;
  std::vector<std::int32_t> group_of_side;

  /// Nodes of a side, each with its periodic image.
  using Images = std::vector<std::pair<std::int32_t, std::int32_t>>;
  std::vector<Images> periodic;  ///< a pair of sides each

  std::size_t nodes_per_cell() const {
    auto const n = static_cast<std::size_t>(order) + 1;
    return dimension == 2 ? n * n : n * n * n;
  }
  std::size_t nodes_per_side() const { return dimension == 2 ? 2 : 4; }
  std::size_t cell_count() const { return cells.size() / nodes_per_cell(); }
};

/// Reads a mesh. Throws BadInput "FILE: line 12: ..." (in binary parts "byte 210") for an invalid
/// file, and for cells of other shapes or of several orders.
MshMesh read_msh(std::filesystem::path const& path);

}  // namespace tessera
