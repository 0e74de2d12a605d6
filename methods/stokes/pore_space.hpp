// SPDX-License-Identifier: MIT
// What a pore space has on a machine, and who makes the solvers of its axes.
#pragma once

#include <cstdint>
#include <memory>

#include "base/box.hpp"
#include "methods/stokes/hierarchy.hpp"
#include "methods/stokes/lanczos.hpp"
#include "methods/stokes/node_set.hpp"
#include "methods/stokes/stokes.hpp"

namespace tessera::stokes {

/// A pore space on a machine.
template <class Machine>
struct Space {
  Machine machine;
  Factors factors;
  NodeSet<Machine> set;
  typename Machine::template Array<double> partial;  ///< 3 sums of each chunk
  typename Machine::template Array<std::int64_t> part_nodes;
  Hierarchy<Machine> hierarchy;
};

/// The solver of an axis whose vectors have the precision T. Defined in methods/stokes/solver.hpp,
/// apart from its callers: each precision takes seconds to compile and has a source of its own.
template <class T, class Machine>
std::unique_ptr<StokesSolver> make_solver(Space<Machine>& space, Axis axis);

}  // namespace tessera::stokes
