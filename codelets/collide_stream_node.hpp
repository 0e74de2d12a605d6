// SPDX-License-Identifier: MIT
// The kernel for instruction sets without expand and compress: pulled node by node, collided in
// vectors.
#pragma once

#include <type_traits>

#include "codelets/collide_stream_kernel.hpp"
#include "codelets/cpu_kernels.hpp"

namespace tessera {

/// Vectors in plain C++; the compiler knows the instructions, but for those that convert Half.
template <class Storage, int vector_bytes>
struct PlainLanes {
  using Real = Arithmetic<Storage>;
  using Vector [[gnu::vector_size(vector_bytes)]] = Real;
  static constexpr int count = vector_bytes / static_cast<int>(sizeof(Real));

  static Vector load(Storage const* from) {
    if constexpr (std::is_same_v<Storage, Real>) return *reinterpret_cast<Vector const*>(from);
    Vector v{};
    for (int i = 0; i < count; ++i) v[i] = from_storage(from[i]);
    return v;
  }
  static void store(Storage* to, Vector const& v) {
    if constexpr (std::is_same_v<Storage, Real>) {
      *reinterpret_cast<Vector*>(to) = v;
    } else {
      for (int i = 0; i < count; ++i) to[i] = to_storage<Storage>(v[i]);
    }
  }
};

template <class Storage, Equilibrium equilibrium, int vector_bytes, class Lanes>
void collide_stream_by_node(TileView const& tile, void const* old_populations,
                            void* new_populations, CollisionParameters<double> const& p) {
  TileUpdate<Storage, equilibrium, PullByNode<Storage, vector_bytes>, Lanes> update(
      tile, static_cast<Storage const*>(old_populations), static_cast<Storage*>(new_populations),
      narrow<Arithmetic<Storage>>(p));
  update.run();
}

template <int vector_bytes, class HalfLanes = PlainLanes<Half, vector_bytes>>
constexpr CpuKernels kernels_by_node(char const* instruction_set) {
  constexpr auto stokes = Equilibrium::stokes;
  constexpr auto navier_stokes = Equilibrium::navier_stokes;
  using FloatLanes = PlainLanes<float, vector_bytes>;
  using DoubleLanes = PlainLanes<double, vector_bytes>;
  return {instruction_set,
          {{collide_stream_by_node<float, stokes, vector_bytes, FloatLanes>,
            collide_stream_by_node<float, navier_stokes, vector_bytes, FloatLanes>},
           {collide_stream_by_node<double, stokes, vector_bytes, DoubleLanes>,
            collide_stream_by_node<double, navier_stokes, vector_bytes, DoubleLanes>},
           {collide_stream_by_node<Half, stokes, vector_bytes, HalfLanes>,
            collide_stream_by_node<Half, navier_stokes, vector_bytes, HalfLanes>}}};
}

}  // namespace tessera
