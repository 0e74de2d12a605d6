// SPDX-License-Identifier: MIT
// Images whose values are permeabilities: a map of porous voxels, as porosity maps and classified
// scans are turned into.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/images/image.hpp"
#include "io/images/labels.hpp"
#include "io/results/results.hpp"

namespace tessera {

/// The unit of an image's values.
struct PermeabilityUnit {
  std::string name;            ///< as it was said
  std::optional<double> m2{};  ///< none: voxels squared

  /// "mD", "D", "m2", "um2", "voxels". Throws BadInput.
  static PermeabilityUnit parse(std::string const& text);
};

/// What of an image is pore, solid, and which kind of grey voxel.
struct PermeabilityMap {
  PoreRule rule{};                  ///< of the labels that the image has
  std::vector<double> k_lattice{};  ///< of the kinds of grey voxels, in voxels squared
};

/// Collective: replaces the values of an image, or of the layers of it that are here, by labels of
/// pores, solid, voxels outside and kinds of grey voxels. What `rule` names keeps its meaning; of
/// the rest 0 is solid, infinity is pore, and all other values are permeabilities. More than 253 of
/// these are put into steps of one ratio, each with the permeability in its middle. `result` has
/// the voxel size, and gets what there is to say. Throws BadInput for what is no permeability, for
/// one outside of 1e-6 to 1e5 voxels squared, and for a unit that takes a voxel size where there is
/// none.
PermeabilityMap take_permeabilities(Image& image, PoreRule const& rule,
                                    PermeabilityUnit const& unit, ImageResult& result);

}  // namespace tessera
