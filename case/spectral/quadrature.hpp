// SPDX-License-Identifier: MIT
// Gauss quadrature in the elements of a mesh.
#pragma once

#include <vector>

#include "models/spectral/mesh.hpp"
#include "models/spectral/tensor.hpp"

namespace tessera {

class Quadrature {
 public:
  struct Sample {
    spectral::Point place;
    double weight;  ///< with the Jacobian: their sum is the volume of the element
  };

  /// A quadrature with so many points along each axis of an element.
  Quadrature(spectral::Mesh const& mesh, int points);

  std::vector<double> const& points() const { return points_; }
  /// All samples of an element, its first axis fastest.
  std::vector<Sample> samples(std::size_t element) const;

 private:
  spectral::Mesh const* mesh_;
  std::vector<double> points_;
  std::vector<double> weights_;
  spectral::Matrix to_points_, slope_;  ///< from the map's nodes
};

}  // namespace tessera
