// SPDX-License-Identifier: MIT
// Fields on quadrilaterals or hexahedra of high order, in VTK's own HDF5 format, which ParaView
// opens directly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "io/fields/field.hpp"

namespace tessera {

/// Cells of degrees of their own, each with points of its own: fields may jump between cells.
struct LagrangeCells {
  int dimension = 2;
  std::vector<std::uint8_t> degree;           ///< of each cell, 1 or more
  std::vector<std::array<double, 3>> points;  ///< cell by cell (degree + 1)^dimension, equally
                                              ///< spaced in it, along its first axis fastest

  static std::size_t points_of(int dimension, int degree) {
    auto const n = static_cast<std::size_t>(degree) + 1;
    return dimension == 2 ? n * n : n * n * n;
  }
};

/// For each point of a Lagrange cell in VTK's order, its place in a lattice of degree + 1 points an
/// axis, first axis fastest: corners, edges, faces, inside (vtkHigherOrderHexahedron.h).
std::vector<std::size_t> lagrange_order(int dimension, int degree);

/// Writes a VTKHDF UnstructuredGrid (docs.vtk.org, "VTKHDF format specification", version 1.0) of
/// Lagrange cells (VTK's types 70 and 72) with these fields on their points and on the cells, as
/// write_vtkhdf() does. Throws EnvironmentError, and std::invalid_argument for a field whose size
/// does not fit.
void write_vtkhdf_elements(std::filesystem::path const& path, LagrangeCells const& cells,
                           std::span<Field const> of_points, std::span<Field const> of_cells = {});

}  // namespace tessera
