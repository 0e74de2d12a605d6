// SPDX-License-Identifier: MIT
// Voxels whose pores the image does not resolve: porous media with a permeability of their own.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/images/labels.hpp"
#include "io/results/results.hpp"

namespace tessera {

/// Labels of grey voxels and their permeability, as it was said: in m^2 or in voxels squared.
struct GreyLabels {
  LabelSet labels;
  std::optional<double> k_m2{};
  double k_lattice = 0;
};

/// "2=5mD", "3,4=1e-15m2", "2=0.01" (voxels squared). Throws BadInput for what is no permeability,
/// and for a label that two have.
std::vector<GreyLabels> parse_grey(std::vector<std::string> const& texts);

/// What of an image is grey, with k in voxels squared. Throws BadInput where that takes a voxel
/// size that nobody has said, and for k outside of 1e-6 to 1e5 voxels squared.
std::vector<GreyResult> grey_results(std::vector<GreyLabels> const& grey,
                                     std::optional<double> voxel_size_m);

/// How many voxels are of each kind (Geometry::pore).
std::array<std::int64_t, 256> kinds_of(std::vector<std::uint8_t> const& pore);
/// Warns of grey labels that no voxel has: of kinds 2, 3, ... in this order.
void warn_of_absent_grey(std::vector<GreyResult> const& grey,
                         std::array<std::int64_t, 256> const& kinds);

/// Throws BadInput, beginning with `said`, for a permeability in voxels squared outside of that
/// range.
void require_grey_permeability(std::string const& said, double k_lattice);
/// Throws BadInput, beginning with `said`, as a permeability has a unit and a voxel has no size.
[[noreturn]] void refuse_grey_without_size(std::string const& said);

}  // namespace tessera
