// SPDX-License-Identifier: MIT
// A gas on tiles of one GPU, stage after stage on one stream, without the task graph: what tests
// and benchmarks compare with.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "base/machine/device_array.hpp"
#include "base/machine/gpu_timer.hpp"
#include "codelets/spectral/gpu/gpu_kernels.hpp"

namespace tessera::spectral {

/// A gas on tiles of one GPU. For its lifetime see DeviceArray.
template <class N>
class GpuLoop {
 public:
  /// `initial`: the initial state, at the solution points. The mesh is not used after construction.
  /// Throws BadInput if a tile reads from more tiles than a kernel takes.
  GpuLoop(MeshOfGas const& of, TileOfPack const& tile_of_pack, GasParameters const& parameters,
          std::function<Primitive<double>(Point const&)> const& initial);

  /// Advances all tiles by so many steps; returns the seconds of the GPU.
  double run(std::int64_t steps, double dt);
  /// A pack's state, as packs.hpp has it.
  std::vector<N> state_of_pack(std::int32_t pack) const;
  /// A pack's largest wave rate over its Jacobian, in the current state.
  double speed_of_pack(std::int32_t pack) const;

  std::int64_t points() const { return points_; }
  /// Bytes of the GPU's memory for states, what is kept of them, and traces.
  std::size_t data_bytes() const;
  /// Bytes of the GPU's memory for the tables.
  std::size_t table_bytes() const;

 private:
  struct TileBuffers {
    TileCounts counts;
    std::vector<std::int32_t> neighbours;
    DeviceArray<std::byte> tables;
    DeviceArray<N> state, kept;
    std::array<DeviceArray<N>, 2> traces, outbox;
    DeviceArray<double> speeds;
  };
  struct PackPlace {
    std::int32_t tile = 0;
    std::int32_t number = 0;  ///< in the tile
    std::int64_t state = 0;
    std::size_t numbers = 0;
  };

  void add_tile(MeshOfGas const& of, ElementTile const& tile,
                std::function<Primitive<double>(Point const&)> const& initial);
  void launch_all(PackTask task, Stage const& stage, bool last);

  GasParameters parameters_;
  std::vector<TileBuffers> tiles_;
  std::vector<PackPlace> place_;  ///< by the pack's number in the mesh
  DeviceArray<double> dt_;
  GpuStream stream_;
  GpuTimer timer_;
  std::size_t now_ = 1;  ///< which traces are those of the state
  std::int64_t points_ = 0;
};

}  // namespace tessera::spectral
