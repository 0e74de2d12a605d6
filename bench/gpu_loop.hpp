// SPDX-License-Identifier: MIT
// The same tiles and kernels as the task graph on one GPU, without a runtime: one stream, tile
// after tile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/machine/device_array.hpp"
#include "base/machine/gpu_timer.hpp"
#include "base/storage.hpp"
#include "codelets/lattice/gpu/gpu_step.hpp"
#include "models/lattice/collision.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {

/// Starts with fluid at rest. Needs nothing of the tiling after it has been made. See DeviceArray
/// for how long it may live.
class GpuLoop {
 public:
  /// Throws BadInput if a tile borders on more others than a kernel takes.
  GpuLoop(Tiling const& tiling, Precision precision, FlowModel const& model,
          FlowParameters const& parameters);
  /// Takes all tiles `steps` steps on; returns the seconds of the GPU.
  double run(std::int64_t steps);

  /// Tables of a tile, on the GPU.
  TileView tile(std::size_t t) const { return steps_[0][t].tile; }
  /// Populations of a tile, on the GPU, after the steps taken.
  void* populations(std::size_t t) const { return tiles_[t].populations[parity()].get(); }
  /// Changes what later steps collide with.
  void set_parameters(FlowParameters const& parameters) { parameters_ = parameters; }

  /// GPU memory that a loop over these tiles takes.
  static std::size_t bytes_needed(Tiling const& tiling, Precision precision);

 private:
  struct TileBuffers {
    DeviceArray<std::byte> tables;
    std::array<DeviceArray<std::byte>, 2> populations;
    std::array<DeviceArray<std::byte>, 2> outbox;
  };
  /// Which of the two lattices and outboxes of a tile the next step reads.
  std::size_t parity() const { return static_cast<std::size_t>(steps_taken_ & 1); }
  GpuStep step_of(Tiling const& tiling, std::size_t t, std::size_t parity) const;

  Precision precision_;
  FlowModel model_;
  FlowParameters parameters_;
  std::vector<TileBuffers> tiles_;
  std::array<std::vector<GpuStep>, 2> steps_;  ///< [parity read][tile]
  GpuStream stream_;
  GpuTimer timer_;
  std::int64_t steps_taken_ = 0;
};

}  // namespace tessera
