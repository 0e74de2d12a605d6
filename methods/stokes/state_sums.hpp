// SPDX-License-Identifier: MIT
// Sums over the nodes of a state, where it lies: on the host they took longer than the flow.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "methods/steady/node_set.hpp"
#include "methods/stokes/solution.hpp"

namespace tessera::steady::stokes {

/// What sum_states() adds up for each chunk, by place.
struct StateSums {
  static constexpr int density = 0;
  static constexpr int nodes = 1;
  static constexpr int velocity = 2;  ///< three components
  static constexpr int speed_squared = 5;
  static constexpr int count = 6;
};

template <class T>
struct SumChunkStates {
  Grid grid{};
  std::int32_t const* chunk_aggregate = nullptr;
  std::int32_t const* first_slot = nullptr;
  std::int32_t const* place_of = nullptr;
  std::uint8_t const* part_of = nullptr;
  Four<T> const* states = nullptr;
  Voxel lower{}, upper{};
  double scale = 0;
  std::int64_t chunks = 0;
  double* sums = nullptr;  ///< of each kind, chunk after chunk

  TESSERA_HOST_DEVICE void operator()(std::int64_t chunk) const {
    double of[StateSums::count] = {};
    for (std::int32_t a = chunk_aggregate[chunk]; a < chunk_aggregate[chunk + 1]; ++a) {
      for_each_node(grid, place_of[a], part_of[a],
                    [&](Voxel at, int rank) { add(at, states[first_slot[a] + rank], of); });
    }
    for (int kind = 0; kind < StateSums::count; ++kind) sums[kind * chunks + chunk] = of[kind];
  }

 private:
  TESSERA_HOST_DEVICE void add(Voxel at, Four<T> const& state,
                               double (&of)[StateSums::count]) const {
    T const velocity[3] = {state.x, state.y, state.z};
    of[StateSums::density] += double{state.s};
    double squared = 0;
    for (T const u : velocity) {
      // As visits of nodes have it.
      auto const scaled = static_cast<float>(scale * double{u});
      squared += double{scaled} * double{scaled};
    }
    double& largest = of[StateSums::speed_squared];
    largest = squared > largest ? squared : largest;
    bool const inside = at.x >= lower.x && at.x < upper.x && at.y >= lower.y && at.y < upper.y &&
                        at.z >= lower.z && at.z < upper.z;
    if (!inside) return;
    of[StateSums::nodes] += 1;
    for (int along = 0; along < 3; ++along)
      of[StateSums::velocity + along] += double{velocity[along]};
  }
};

/// Collective: sums over all nodes, or those in a box of voxels, of the states at the slots; in an
/// order that depends on nothing else. Speeds are those of a flow `scale` times as fast.
template <class T, class Machine>
StokesSums sum_states(Machine& machine, NodeSet<Machine, Links::size> const& set,
                      Four<T> const* states, Int3 lower, Int3 upper, double scale) {
  auto const voxel = [](Int3 at) {
    return Voxel{static_cast<std::int32_t>(at.x), static_cast<std::int32_t>(at.y),
                 static_cast<std::int32_t>(at.z)};
  };
  auto const chunks = static_cast<std::size_t>(set.chunks.count);
  auto sums = machine.template array<double>(StateSums::count * chunks);
  machine.for_each(set.chunks,
                   SumChunkStates<T>{set.grid, set.chunk_aggregate.get(), set.first_slot.get(),
                                     set.place_of.get(), set.part_of.get(), states, voxel(lower),
                                     voxel(upper), scale, set.chunks.count, sums.get()});
  machine.all_gather(sums.get(), set.chunks, StateSums::count);
  std::vector<double> of_chunks(StateSums::count * chunks);
  machine.download(of_chunks.data(), sums.get(), of_chunks.size());
  std::array<double, StateSums::count> total{};
  for (std::size_t kind = 0; kind < StateSums::count; ++kind) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      double const one = of_chunks[kind * chunks + chunk];
      total[kind] =
          kind == StateSums::speed_squared ? std::max(total[kind], one) : total[kind] + one;
    }
  }
  return {.density = total[StateSums::density],
          .nodes = total[StateSums::nodes],
          .velocity = {total[StateSums::velocity], total[StateSums::velocity + 1],
                       total[StateSums::velocity + 2]},
          .largest_speed = std::sqrt(total[StateSums::speed_squared])};
}

}  // namespace tessera::steady::stokes
