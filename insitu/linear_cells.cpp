// SPDX-License-Identifier: MIT
#include "insitu/linear_cells.hpp"

namespace tessera {

LinearCells::LinearCells(LagrangeCells const& cells) : dimension_(cells.dimension) {
  std::int64_t first = 0;
  for (std::int64_t const degree : cells.degree) {
    std::int64_t const row = degree + 1;
    std::int64_t const layer = row * row;
    std::int64_t const layers = dimension_ == 2 ? 1 : degree;
    for (std::int64_t k = 0; k < layers; ++k) {
      for (std::int64_t j = 0; j < degree; ++j) {
        for (std::int64_t i = 0; i < degree; ++i) {
          std::int64_t const at = first + i + j * row + k * layer;
          for (std::int64_t up = 0; up < (dimension_ == 2 ? 1 : 2); ++up) {
            std::int64_t const corner = at + up * layer;
            connections_.insert(connections_.end(),
                                {corner, corner + 1, corner + 1 + row, corner + row});
          }
        }
      }
    }
    cells_of_.push_back(static_cast<std::size_t>(layers * degree * degree));
    first += dimension_ == 2 ? layer : layer * row;
  }
}

}  // namespace tessera
