// SPDX-License-Identifier: MIT
// How many threads a CUDA block of collide-stream has, and how many of these a multiprocessor
// holds, for a model, a precision, and how full the tile's blocks are.
//
// Two effects compete. With few lattice blocks in flight what neighbours share is still in the
// second-level cache, which favours many threads a block; no thread should idle in a block's last
// round, which favours few. So fuller blocks take more threads. And the registers that a node
// update needs limit the number of threads in all. All shapes are measured: docs/performance.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "models/lattice/flow_model.hpp"

namespace tessera::gpu {

struct LaunchShape {
  std::uint32_t nodes;       ///< for tiles whose blocks have on average less than so many
  int threads;               ///< a CUDA block
  int blocks_per_processor;  ///< 65536 / (threads * these) registers a thread
};

namespace shapes {

inline constexpr std::uint32_t any = ~std::uint32_t{0};

inline constexpr LaunchShape with_64_registers[] = {{230, 128, 8}, {320, 192, 5},  {570, 256, 4},
                                                    {800, 320, 3}, {1600, 512, 2}, {any, 384, 2}};
inline constexpr LaunchShape of_13_velocities[] = {
    {230, 128, 8}, {430, 192, 5}, {760, 256, 4}, {1050, 320, 3}, {any, 512, 2}};
inline constexpr LaunchShape with_72_registers[] = {{1050, 224, 4}, {any, 448, 2}};
inline constexpr LaunchShape with_96_registers[] = {{430, 192, 3}, {1050, 320, 2}, {any, 640, 1}};
inline constexpr LaunchShape with_112_registers[] = {{900, 192, 3}, {any, 256, 2}};
inline constexpr LaunchShape with_128_registers[] = {{430, 128, 4}, {1050, 256, 2}, {any, 512, 1}};
inline constexpr LaunchShape with_168_registers[] = {{900, 192, 2}, {any, 384, 1}};

// Values of 16 bits: more lattice blocks fit into the cache, so that these need not grow.
inline constexpr LaunchShape of_half[] = {{any, 128, 8}};
inline constexpr LaunchShape of_half_and_few_moments[] = {{800, 128, 8}, {any, 192, 5}};
inline constexpr LaunchShape of_half_with_80_registers[] = {{any, 128, 6}};
inline constexpr LaunchShape of_half_with_96_registers[] = {{any, 128, 5}};

// Moments of all triples of D3Q27 (and stress beside two rates in double precision) need registers
// whatever the blocks.
inline constexpr LaunchShape small_with_128_registers[] = {{any, 128, 4}};
inline constexpr LaunchShape small_with_168_registers[] = {{any, 128, 3}};
inline constexpr LaunchShape small_with_255_registers[] = {{any, 128, 2}};

// A plane of D2Q9 fills one layer of a block: 256 nodes at most.
inline constexpr LaunchShape of_plane[] = {{any, 64, 16}};
inline constexpr LaunchShape of_plane_in_double[] = {{any, 64, 12}};

}  // namespace shapes

/// Whether a model's kernel fetches rows before it knows where they stand
/// (codelets/lattice/gpu/rows_around.cuh): where that leaves the node update its registers, and is
/// faster.
constexpr bool asks_early(FlowModel const& model, std::size_t bytes) {
  return bytes < 8 && (model.lattice == LatticeKind::d3q19 || model.lattice == LatticeKind::d3q15);
}

/// The shapes of a model, by ascending LaunchShape::nodes; `bytes`: of a stored value.
constexpr std::span<LaunchShape const> launch_shapes(FlowModel const& model, std::size_t bytes) {
  using namespace shapes;
  bool const wide = bytes == 8;
  bool const half = bytes == 2;
  bool const two_rates =
      model.collision == CollisionOperator::trt || model.collision == CollisionOperator::bgk;
  switch (model.lattice) {
    case LatticeKind::d2q9:
      if (wide) return of_plane_in_double;
      return of_plane;
    case LatticeKind::d3q27:
      if (model.equilibrium == EquilibriumForm::product) {
        if (wide) return small_with_255_registers;
        return small_with_128_registers;
      }
      if (half) return of_half_with_96_registers;
      if (wide) return with_168_registers;
      return with_112_registers;
    default:
      break;
  }
  if (model.smagorinsky) {
    if (half) return of_half_with_80_registers;
    if (!wide) return with_72_registers;
    if (two_rates) return small_with_168_registers;
    return with_128_registers;
  }
  if (half) {
    if (two_rates && model.lattice == LatticeKind::d3q19) return of_half_and_few_moments;
    return of_half;
  }
  if (!wide && model.lattice == LatticeKind::d3q13) return of_13_velocities;
  if (!wide) return with_64_registers;
  bool const stokes = model.equilibrium == EquilibriumForm::linear;
  if ((stokes && two_rates) || model.lattice == LatticeKind::d3q13) return with_96_registers;
  return with_128_registers;
}

}  // namespace tessera::gpu
