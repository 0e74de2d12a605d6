// SPDX-License-Identifier: MIT
#include "methods/steady/cores.hpp"
#include "methods/stokes/solver.hpp"

namespace tessera::steady::stokes {

template std::unique_ptr<StokesSolver> make_grey_solver(Space<Cores>& space, Axis axis);

}  // namespace tessera::steady::stokes
