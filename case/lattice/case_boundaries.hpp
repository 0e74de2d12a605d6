// SPDX-License-Identifier: MIT
// The box of a case: its pore voxels, of which each process has its layers, and its boundary
// conditions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "case/file/case.hpp"
#include "partition/lattice/boundaries.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

struct CaseBox {
  SpreadGeometry geometry;
  /// The plain wall, the boundaries of the case in their order, and plain walls whose force is
  /// measured.
  std::shared_ptr<Boundaries const> boundaries;
  /// Conditions whose values change in time, with their factors.
  std::vector<std::pair<std::size_t, TimeFormula>> factors;
  std::vector<std::size_t> condition_of_force;  ///< for each of output.forces
  std::vector<std::string> warnings;            ///< one line each
};

/// All ranks: makes the box. Throws BadInput for solids that fill no voxel or the whole box, and
/// for conditions that the solver does not support.
CaseBox case_box(Case const& c);

}  // namespace tessera
