// SPDX-License-Identifier: MIT
// A boundary condition of a case as the solver takes it.
#pragma once

#include <string>

#include "base/errors.hpp"
#include "case/file/case.hpp"
#include "partition/lattice/boundaries.hpp"

namespace tessera {

/// What is wrong with a line of the case.
BadInput bad_line(Case const& c, int line, std::string const& what);

/// Without the place of its surface, and without a factor that changes in time.
BoundaryCondition condition_of(Case::Boundary const& b);

}  // namespace tessera
