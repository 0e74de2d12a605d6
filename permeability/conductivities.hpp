// SPDX-License-Identifier: MIT
// What the voxels of an image conduct, by their labels.
#pragma once

#include <string>
#include <vector>

#include "geometry/geometry.hpp"
#include "io/images/image.hpp"
#include "io/images/labels.hpp"

namespace tessera {

/// 0 is a conductivity, as are values in the range of is_conductivity().
inline constexpr double least_conductivity = 1e-12;
inline constexpr double most_conductivity = 1e12;
constexpr bool is_conductivity(double value) {
  return value == 0 || (value >= least_conductivity && value <= most_conductivity);
}

/// Labels and what their voxels conduct.
struct LabelConductivity {
  LabelSet labels;
  double value = 0;
};

/// "0=1", "1,3-4=0.05". Throws BadInput for what is no conductivity, and for a label that two have.
std::vector<LabelConductivity> parse_conductivities(std::vector<std::string> const& texts);

/// The voxels as kinds that conduct what Geometry::of_grey says; 0 conducts nothing. Throws
/// BadInput for a label that has no conductivity and is not outside, or both.
Geometry conductors(Image const& image, std::vector<LabelConductivity> const& conductivities,
                    LabelSet const& outside);

}  // namespace tessera
