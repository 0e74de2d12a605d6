// SPDX-License-Identifier: MIT
#include "methods/stokes/cores.hpp"
#include "methods/stokes/solver.hpp"

namespace tessera::stokes {

template std::unique_ptr<StokesSolver> make_solver<float>(Space<Cores>& space, Axis axis);

}  // namespace tessera::stokes
