// SPDX-License-Identifier: MIT
// A boundary condition of a case in the solver's form.
#pragma once

#include <string>

#include "base/errors.hpp"
#include "case/file/case.hpp"
#include "partition/lattice/boundaries.hpp"

namespace tessera {

/// The error for a line of the case.
BadInput bad_line(Case const& c, int line, std::string const& what);

/// The solver's condition, without the place of its surface, and without its factor in time.
BoundaryCondition condition_of(Case::Boundary const& b);

}  // namespace tessera
