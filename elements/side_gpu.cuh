// SPDX-License-Identifier: MIT
// The common flux at the end of a thread's line, on a GPU: with a neighbour of the same degree,
// behind a boundary, or as it has been found where unlike degrees meet (mortar_gpu.cuh).
#pragma once

#include "elements/gpu_kernels.hpp"

namespace tessera::spectral::gpu {

/// Of a thread that has a lane of a line of pack `number`.
template <int dimension, int p, class N>
class LineEnds {
  __host__ __device__ static constexpr PackShape shape() { return {dimension, p}; }
  static constexpr int n = p + 1;
  static constexpr int lines = power(p + 1, dimension - 1);

 public:
  __device__ LineEnds(GpuStage<N> const& stage, TilePack const& pack, int number, int line,
                      int lane)
      : stage_(stage), pack_(pack), number_(number), line_(line), lane_(lane) {}

  /// The common flux of a side, towards the positive axis.
  /// direction(side) tells S_d at its end of the thread's line.
  template <class DirectionOf>
  __device__ State<N> flux_through(int side, DirectionOf&& direction) const {
    SidePart const& part = part_of(side);
    if (part.degree >= 0 && part.degree != p) return flux_of_mortar(side);
    bool const is_end = side % 2 != 0;
    Direction<N> const through = direction(side);
    State<N> own;
    State<N> outside;
    N const* const trace = inside(side) + line_ * lanes;
#pragma unroll
    for (int v = 0; v < variables; ++v) own[v] = trace[v * lines * lanes];
    if (part.degree == p) {
      Link const link = link_of(side);
      int const a = dimension == 3 ? line_ % n : line_;
      int const b = dimension == 3 ? line_ / n : 0;
      N const* const from =
          stage_.sources[link.source] + link.begin + turned_point(link.turn, n, a, b) * link.stride;
#pragma unroll
      for (int v = 0; v < variables; ++v) outside[v] = from[v * lines * link.stride];
    } else {
      outside = behind_boundary(part, side, own, through.n);
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

  __device__ SidePart const& part_of(int side) const {
    SidePart const* part = stage_.data.tables.parts + pack_.first_part[side];
    while ((part->lanes >> lane_ & 1) == 0) ++part;
    return *part;
  }
  __device__ Link link_of(int side) const {
    return stage_.data.tables.links[(number_ * shape().sides() + side) * lanes + lane_];
  }
  /// The own trace.
  __device__ N const* inside(int side) const {
    return stage_.sources[0] + pack_.traces + shape().trace_at(side, 0, 0) + lane_;
  }

  /// Where find_mortar_fluxes() has left it.
  __device__ State<N> flux_of_mortar(int side) const {
    N const* const from =
        stage_.data.next_traces + pack_.traces + shape().trace_at(side, 0, line_) + lane_;
    State<N> found;
#pragma unroll
    for (int v = 0; v < variables; ++v) found[v] = from[v * lines * lanes];
    return found;
  }

  __device__ State<N> behind_boundary(SidePart const& part, int side, State<N> const& own,
                                      N const (&n_of_axis)[3]) const {
    N const* const given = stage_.data.tables.geometry + part.values + line_ * lanes + lane_;
    State<N> there;
#pragma unroll
    for (int v = 0; v < variables; ++v) there[v] = given[v * lines * lanes];
    N const outwards = side % 2 == 0 ? N{-1} : N{1};
    N const normal[3] = {n_of_axis[0] * outwards, n_of_axis[1] * outwards, n_of_axis[2] * outwards};
    return outside_state(static_cast<BoundaryKind>(part.boundary), own, there, normal, gas());
  }

  GpuStage<N> const& stage_;
  TilePack const& pack_;
  int number_;
  int line_;
  int lane_;
};

}  // namespace tessera::spectral::gpu
