// SPDX-License-Identifier: MIT
// Cells of high order as linear cells between their points, which all filters support: ParaView
// draws cells of high order many times slower, and in their true shape only if it is set how finely
// to subdivide them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/fields/vtkhdf_elements.hpp"

namespace tessera {

class LinearCells {
 public:
  /// Linear cells on the points of these cells.
  explicit LinearCells(LagrangeCells const& cells);

  /// Number of corners of each linear cell.
  int corners() const { return dimension_ == 2 ? 4 : 8; }
  /// The corners of all linear cells, in VTK's order.
  std::vector<std::int64_t> const& connections() const { return connections_; }
  /// Linear cells that a cell has become: degree^dimension, its first axis fastest.
  std::size_t cells_of(std::size_t cell) const { return cells_of_[cell]; }

 private:
  int dimension_;
  std::vector<std::int64_t> connections_;
  std::vector<std::size_t> cells_of_;
};

}  // namespace tessera
