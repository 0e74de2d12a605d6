// SPDX-License-Identifier: MIT
// The common flux at the end of a thread's line, on a GPU: with a neighbour of the same degree, at
// a boundary, or as codelets/spectral/gpu/mortar.cuh has left it where unlike degrees meet.
//
// Finding its numbers takes three dependent reads. So a block does that once for each of its lanes'
// sides, before any of its lines needs them.
#pragma once

#include "codelets/spectral/gpu/gpu_kernels.hpp"

namespace tessera::spectral::gpu {

/// What a lane of a side meets.
template <class N>
struct Behind {
  enum class Kind : std::int8_t { trace, fluxes, boundary };

  /// Value [variable][point] is `stride` (variable points + point) behind: in the neighbour's
  /// trace, in the fluxes that the kernel of mortars has left, or in the state given at a boundary.
  N const* first;
  std::int16_t stride;
  std::int16_t turn;  ///< Turn
  Kind kind;
  BoundaryKind boundary;
};

/// What a lane of a side of pack `number` meets.
template <class N>
__device__ Behind<N> find_behind(GpuStage<N> const& stage, PackShape shape, int number, int side,
                                 int lane) {
  using Kind = typename Behind<N>::Kind;
  auto const& tables = stage.data.tables;
  TilePack const& pack = tables.packs[number];
  Link const link = tables.links[(number * shape.sides() + side) * lanes + lane];
  SidePart const* part = tables.parts + pack.first_part[side];
  while ((part->lanes >> lane & 1) == 0) ++part;
  if (part->degree == shape.degree)
    return {stage.sources[link.source] + link.begin, link.stride, link.turn, Kind::trace, {}};
  if (part->degree >= 0)
    return {stage.data.next_traces + pack.traces + shape.trace_at(side, 0, 0) + lane,
            lanes,
            0,
            Kind::fluxes,
            {}};
  return {tables.geometry + part->values + lane, lanes, 0, Kind::boundary,
          static_cast<BoundaryKind>(part->boundary)};
}

/// The ends of a thread's line.
template <int dimension, int p, class N>
class LineEnds {
  static constexpr int n = p + 1;
  static constexpr int lines = power(p + 1, dimension - 1);

 public:
  __device__ LineEnds(GpuStage<N> const& stage, int line) : stage_(stage), line_(line) {}

  /// The common flux of a side, towards the positive axis. `own`: the state there; `through`: S_d.
  __device__ State<N> flux_through(Behind<N> const& behind, bool is_end, State<N> const& own,
                                   Direction<N> const& through) const {
    State<N> outside = values(behind);
    if (behind.kind == Behind<N>::Kind::fluxes) return outside;
    if (behind.kind == Behind<N>::Kind::boundary) {
      N const outwards = is_end ? N{1} : N{-1};
      N const normal[3] = {through.n[0] * outwards, through.n[1] * outwards,
                           through.n[2] * outwards};
      outside = outside_state(behind.boundary, own, outside, normal, gas());
    }
    // Left and right as the neighbour has them.
    State<N> left;
    State<N> right;
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      left[v] = is_end ? own[v] : outside[v];
      right[v] = is_end ? outside[v] : own[v];
    }
    return common_flux(stage_.parameters.riemann, left, right, through, gas(),
                       static_cast<N>(stage_.parameters.entropy_fix));
  }

 private:
  __device__ Gas<N> gas() const { return {static_cast<N>(stage_.parameters.gas.gamma)}; }

  __device__ State<N> values(Behind<N> const& behind) const {
    int const a = dimension == 3 ? line_ % n : line_;
    int const b = dimension == 3 ? line_ / n : 0;
    N const* const from = behind.first + turned_point(behind.turn, n, a, b) * behind.stride;
    State<N> found;
#pragma unroll
    for (int v = 0; v < variables; ++v) found[v] = from[v * lines * behind.stride];
    return found;
  }

  GpuStage<N> const& stage_;
  int line_;
};

}  // namespace tessera::spectral::gpu
