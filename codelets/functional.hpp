// SPDX-License-Identifier: MIT
// The task that takes the terms of a creeping flow's functional from two states in a row
// (lattice/steady_functional.hpp): sums for each block, the same to the last bit wherever a tile
// is.
#pragma once

#include <cstdint>

#include "lattice/lattice_kind.hpp"
#include "lattice/steady_functional.hpp"
#include "lattice/storage.hpp"
#include "partition/tile.hpp"
#include "tasks/submit.hpp"

namespace tessera {

/// Lanes that the sums of a block are taken in, node after node; they are added pairwise then.
inline constexpr std::uint32_t functional_lanes = 32;

struct FunctionalArguments {
  TileCounts counts;
  LatticeKind lattice = LatticeKind::d3q19;
  Precision precision = Precision::single_precision;
  FunctionalParameters parameters{};
};

/// Of a tile's blocks: R populations, before and after a step -> W FunctionalTerms [blocks]. The
/// arguments outlive the task.
void submit_functional(DataHandle const& before, DataHandle const& after, DataHandle const& tables,
                       DataHandle const& sums, FunctionalArguments const& arguments,
                       Placement const& placement);

}  // namespace tessera
