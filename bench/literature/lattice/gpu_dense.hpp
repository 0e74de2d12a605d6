// SPDX-License-Identifier: MIT
// The dense step on a GPU, one thread a voxel: array of structures or structure of arrays, and with
// any number of threads a block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/machine/device_array.hpp"
#include "base/machine/gpu_timer.hpp"
#include "bench/literature/lattice/dense_node.hpp"

namespace tessera {

/// How many threads a CUDA block may have in the single-precision Stokes step as structure of
/// arrays; elsewhere only `usual_threads`. 48 is no multiple of a warp.
inline constexpr std::array dense_threads{32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
inline constexpr int usual_threads = 128;

/// What a kernel takes of a multiprocessor.
struct KernelUse {
  int registers = 0;      ///< a thread
  int spilled_bytes = 0;  ///< a thread
  double occupancy = 0;   ///< threads that it holds over those it could
};

/// A periodic cube of voxels. See DeviceArray for how long it may live.
template <class Real>
class GpuDense {
 public:
  GpuDense(std::int64_t edge, DenseLayout layout, EquilibriumForm equilibrium,
           FlowParameters const& parameters);
  /// One of dense_threads.
  void set_threads(int threads) { threads_ = threads; }
  /// Sets initial_population() everywhere.
  void start();
  /// Takes `steps` steps; returns the seconds of the GPU.
  double run(std::int64_t steps);

  Real const* populations() const { return lattices_[parity_].get(); }
  DenseLayout layout() const { return layout_; }
  KernelUse kernel_use() const;
  static std::size_t bytes_needed(std::int64_t edge);

 private:
  std::uint32_t edge_;
  std::uint32_t voxels_;
  DenseLayout layout_;
  EquilibriumForm equilibrium_;
  FlowParameters parameters_;
  int threads_ = usual_threads;
  std::array<DeviceArray<Real>, 2> lattices_;
  std::size_t parity_ = 0;  ///< of the lattice that the next step reads
  GpuStream stream_;
  GpuTimer timer_;
};

extern template class GpuDense<float>;
extern template class GpuDense<double>;

/// Launches `count` kernels that do nothing; returns the seconds of the GPU.
double run_empty_kernels(std::int64_t count);

}  // namespace tessera
