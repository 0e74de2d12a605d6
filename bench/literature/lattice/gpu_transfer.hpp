// SPDX-License-Identifier: MIT
// The memory traffic of a lattice Boltzmann step without the arithmetic: so many arrays are read
// and as many written, one thread a node (Obrecht et al., Comput. Math. Appl. 61 (2011) 3628,
// section 4).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/machine/device_array.hpp"
#include "base/machine/gpu_timer.hpp"
#include "bench/literature/lattice/transfer_places.hpp"

namespace tessera {

/// Which arrays are moved, and how.
struct Transfer {
  int arrays = D3Q19::size;    ///< 1 to 19; 19 if anything is shifted
  Shift reads = Shift::none;   ///< read at k - offset, as a lattice that pulls
  Shift writes = Shift::none;  ///< written at k + offset, as a lattice that pushes
};

/// Nineteen arrays of `nodes` elements, and nineteen more; T is float or std::uint16_t.
template <class T>
class GpuTransfer {
 public:
  explicit GpuTransfer(std::int64_t nodes);
  /// Moves `sweeps` times; returns the seconds of the GPU.
  double run(Transfer const& transfer, std::int64_t sweeps);
  /// Moves once and throws EnvironmentError unless every element is where it should be.
  void check(Transfer const& transfer);

  static std::size_t bytes_needed(std::int64_t nodes);

 private:
  void launch(Transfer const& transfer);

  std::uint32_t nodes_;
  TransferPlaces places_;
  DeviceArray<T> from_;
  DeviceArray<T> to_;
  GpuStream stream_;
  GpuTimer timer_;
};

extern template class GpuTransfer<float>;
extern template class GpuTransfer<std::uint16_t>;

}  // namespace tessera
