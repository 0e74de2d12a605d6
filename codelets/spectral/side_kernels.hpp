// SPDX-License-Identifier: MIT
// The code for cores that does not depend on the degree at compile time: compiled once for each
// instruction set, called by the kernels of all degrees.
#pragma once

#include "codelets/spectral/stage_data.hpp"

namespace tessera::spectral {

/// A side whose fluxes are to be computed.
template <class N>
struct SideTask {
  StageData<N> const& data;
  StageFacts<N> const& facts;
  int dimension;
  std::int32_t pack;  ///< in the tile
  int side;
  N* fluxes;  ///< [variable][point][8]: towards the positive axis
};

template <class Set, class N>
struct SideKernels {
  /// The common fluxes of a side of a pack.
  static void find_fluxes(SideTask<N> const& task);

  /// The largest sum over directions of wave_rate() over the Jacobian at the solution points of a
  /// pack; its metrics there are the means of the flux points on both sides. NaN if one of the
  /// states is.
  static double fastest_wave(TileView<N> const& tables, int dimension, std::int32_t pack,
                             N const* states, Gas<N> gas);
};

}  // namespace tessera::spectral
