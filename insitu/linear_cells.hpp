// SPDX-License-Identifier: MIT
// Cells of high order as linear ones between their points, which all filters take as they are:
// ParaView draws those of high order many times slower, and only then as they are if it is told how
// finely to cut them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/fields/vtkhdf_elements.hpp"

namespace tessera {

class LinearCells {
 public:
  /// On the points of these.
  explicit LinearCells(LagrangeCells const& cells);

  /// Of each linear cell.
  int corners() const { return dimension_ == 2 ? 4 : 8; }
  /// The corners of all, in VTK's order.
  std::vector<std::int64_t> const& connections() const { return connections_; }
  /// Linear cells that a cell has become: degree^dimension, its first axis fastest.
  std::size_t cells_of(std::size_t cell) const { return cells_of_[cell]; }

 private:
  int dimension_;
  std::vector<std::int64_t> connections_;
  std::vector<std::size_t> cells_of_;
};

}  // namespace tessera
