// SPDX-License-Identifier: MIT
// The box of a case: which voxels are pore, of which each process has its layers, and what stands
// behind its walls and faces.
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
  /// The plain wall, the boundaries of the case in their order, and plain walls of which the force
  /// is asked for.
  std::shared_ptr<Boundaries const> boundaries;
  /// Conditions whose values change in time, and by what factor.
  std::vector<std::pair<std::size_t, TimeFormula>> factors;
  std::vector<std::size_t> condition_of_force;  ///< for each of output.forces
  std::vector<std::string> warnings;            ///< one line each
};

/// All ranks. Throws BadInput for solids that fill no voxel or the whole box, and for conditions
/// that the solver does not have yet.
CaseBox case_box(Case const& c);

}  // namespace tessera
