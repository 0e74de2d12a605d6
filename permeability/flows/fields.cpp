// SPDX-License-Identifier: MIT
#include "permeability/flows/fields.hpp"

#include <atomic>
#include <cmath>

namespace tessera {

double largest_speed(VisitNodes const& visit_nodes, VisitNode const& also) {
  std::atomic<double> largest_squared = 0;
  visit_nodes([&](Int3 voxel, std::int32_t tile, NodeState const& state) {
    double speed_squared = 0;
    for (float const u : state.velocity)
      speed_squared += static_cast<double>(u) * static_cast<double>(u);
    double largest = largest_squared.load(std::memory_order_relaxed);
    while (speed_squared > largest &&
           !largest_squared.compare_exchange_weak(largest, speed_squared)) {
    }
    if (also) also(voxel, tile, state);
  });
  return std::sqrt(largest_squared);
}

VisitNode into(StateFields& fields, PreparedBox const& box, Int3 image_shape) {
  return [&, image_shape](Int3 voxel, std::int32_t tile, NodeState const& state) {
    Int3 const at = voxel - box.sample_lower;
    for (Axis a : all_axes) {
      if (at[a] < 0 || at[a] >= image_shape[a]) return;
    }
    fields.put(linear_index(image_shape, at), state, tile);
  };
}

}  // namespace tessera
