// SPDX-License-Identifier: MIT
// What a pore space has on a machine, and who makes the solvers of its axes.
#pragma once

#include <cstdint>
#include <memory>

#include "base/box.hpp"
#include "methods/steady/hierarchy.hpp"
#include "methods/steady/node_set.hpp"
#include "methods/stokes/lanczos.hpp"
#include "methods/stokes/stokes.hpp"

namespace tessera::steady::stokes {

/// A pore space on a machine.
template <class Machine>
struct Space {
  Machine machine;
  Factors factors;
  NodeSet<Machine, Equation::links> set;
  /// In a Lanczos vector: the odd halves of other processes' nodes that come along the own links.
  typename Machine::Halo near_values;
  typename Machine::template Array<double> partial;  ///< 3 sums of each chunk
  typename Machine::template Array<std::int64_t> part_nodes;
  typename Machine::template Array<float> resistance;  ///< nu / k; of none where no voxel is grey
  typename Machine::template Array<float> straight;    ///< GreyPores::straight
  typename Machine::template Array<float> mobility;
  typename Machine::template Array<Two<float>> diagonal;  ///< of the finest level
  Hierarchy<Machine, Equation> hierarchy;
  bool keeps_odd_halves = false;  ///< solvers do

  bool is_grey() const { return resistance.size() > 0; }
  OpenPores open_pores() const { return {set.links()}; }
  GreyPores grey_pores() const {
    return {set.links(), resistance.get(), straight.get(), set.slots.count};
  }
};

/// The solver of an axis whose vectors have the precision T. Defined in methods/stokes/solver.hpp,
/// apart from its callers: each precision takes seconds to compile and has a source of its own.
template <class T, class Machine>
std::unique_ptr<StokesSolver> make_solver(Space<Machine>& space, Axis axis);
/// That of an axis where voxels are grey, with vectors in single precision.
template <class Machine>
std::unique_ptr<StokesSolver> make_grey_solver(Space<Machine>& space, Axis axis);

}  // namespace tessera::steady::stokes
