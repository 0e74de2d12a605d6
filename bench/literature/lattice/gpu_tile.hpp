// SPDX-License-Identifier: MIT
// Tessera's step of a periodic cube without walls, in one tile, on a GPU; and whether the dense
// step says the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/gpu_loop.hpp"
#include "bench/literature/lattice/gpu_dense.hpp"

namespace tessera {

/// See DeviceArray for how long it may live.
template <class Real>
class GpuTile {
 public:
  GpuTile(std::int64_t edge, EquilibriumForm equilibrium, FlowParameters const& parameters);
  /// Sets initial_population() everywhere.
  void start();
  /// Takes `steps` steps; returns the seconds of the GPU.
  double run(std::int64_t steps) { return loop_.run(steps); }
  /// Starts both, takes a few steps with each and compares all populations. Throws EnvironmentError
  /// if they differ by more than rounding; `what` names the dense step.
  void require_agreement(GpuDense<Real>& dense, std::string const& what);

  static std::size_t bytes_needed(std::int64_t edge);

 private:
  GpuTile(Tiling const& tiling, EquilibriumForm equilibrium, FlowParameters const& parameters);

  std::uint32_t edge_;
  DeviceArray<std::uint32_t> first_voxels_;  ///< of each block
  GpuLoop loop_;
};

extern template class GpuTile<float>;
extern template class GpuTile<double>;

}  // namespace tessera
