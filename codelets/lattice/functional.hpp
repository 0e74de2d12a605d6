// SPDX-License-Identifier: MIT
// The task that takes the terms of a creeping flow's functional from two states in a row
// (models/lattice/steady_functional.hpp): sums for each block, the same to the last bit wherever a
// tile is.
#pragma once

#include <cstdint>

#include "base/storage.hpp"
#include "graph/tasks/submit.hpp"
#include "models/lattice/lattice_kind.hpp"
#include "models/lattice/steady_functional.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera {

/// Lanes that the sums of a block are taken in, node after node; they are added pairwise then.
inline constexpr std::uint32_t functional_lanes = 32;

struct FunctionalArguments {
  TileCounts counts;
  LatticeKind lattice = LatticeKind::d3q19;
  Precision precision = Precision::single_precision;
  FunctionalParameters parameters{};
};

/// The terms of a tile's blocks: R populations, before and after a step -> W FunctionalTerms
/// [blocks]. The arguments outlive the task.
void submit_functional(DataHandle const& before, DataHandle const& after, DataHandle const& tables,
                       DataHandle const& sums, FunctionalArguments const& arguments,
                       Placement const& placement);

}  // namespace tessera
