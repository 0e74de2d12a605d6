// SPDX-License-Identifier: MIT
// The stage of a pack, on cores: direction after direction the common fluxes of both sides, then
// along each line extrapolation, fluxes and their derivatives; then the Runge-Kutta update, and the
// traces of the new state.
#pragma once

#include "codelets/spectral/run_packs.hpp"
#include "codelets/spectral/side_kernels.hpp"
#include "codelets/spectral/vectors.hpp"
#include "models/spectral/line.hpp"

namespace tessera::spectral {

template <class Set, class N, int dimension, int p>
class PackStage {
  using V = Vectors<Set, N>;
  using Vector = typename V::Vector;
  static constexpr PackShape shape{dimension, p};
  static constexpr Operators<p, N> const& matrices = operators<p, N>;

 public:
  PackStage(StageData<N> const& data, StageFacts<N> const& facts, std::int32_t number)
      : data_(data),
        facts_(facts),
        number_(number),
        pack_(data.tables.packs[number]),
        state_(data.state + pack_.state) {}

  /// Takes the state to the one after the stage.
  void advance() {
    alignas(64) N rates[shape.state_size()];
    for (int d = 0; d < dimension; ++d) {
      alignas(64) N ends[2][shape.trace_size()];
      for (int end : {0, 1})
        SideKernels<Set, N>::find_fluxes(
            {data_, facts_, dimension, number_, 2 * d + end, ends[end]});
      for (int line = 0; line < shape.side_points(); ++line) {
        for (int lane = 0; lane < lanes; lane += V::width)
          add_line(d, line, lane, ends[0], ends[1], rates);
      }
    }
    update(rates);
  }

  /// Writes traces, outbox and speed of the current state.
  void publish() const {
    N* const traces = data_.next_traces + pack_.traces;
    for (int d = 0; d < dimension; ++d) {
      for (int line = 0; line < shape.side_points(); ++line) {
        for (int lane = 0; lane < lanes; lane += V::width) write_traces(d, line, lane, traces);
      }
    }
    fill_outbox();
    if (data_.speeds == nullptr) return;
    data_.speeds[number_] = SideKernels<Set, N>::fastest_wave(data_.tables, dimension, number_,
                                                              data_.state, facts_.gas);
  }

 private:
  /// A variable's first value on a line.
  static int line_at(int d, int line, int variable) {
    return shape.state_at(variable, shape.line_begin(d, line));
  }

  /// Adds the derivatives of the fluxes along a line.
  void add_line(int d, int line, int lane, N const* begin, N const* end, N* rates) const {
    int const stride = shape.line_stride(d) * lanes;
    Vector fluxes[variables][p + 2];
    State<Vector> inner[p + 1];
#pragma GCC unroll 5
    for (int v = 0; v < variables; ++v) {
      N const* const from = state_ + line_at(d, line, v) + lane;
      Vector values[p + 1];
#pragma GCC unroll 16
      for (int i = 0; i <= p; ++i) values[i] = V::load(from + i * stride);
#pragma GCC unroll 16
      for (int f = 1; f <= p; ++f) inner[f][v] = extrapolated<p>(matrices, f, values);
    }
    MetricStrides const strides = metric_strides(shape, pack_.affine != 0);
    N const* const metrics =
        data_.tables.geometry + pack_.metrics + d * strides.direction + line * strides.line + lane;
    for (int f = 1; f <= p; ++f) {
      Vector area[3] = {};
#pragma GCC unroll 3
      for (int a = 0; a < dimension; ++a)
        area[a] = V::load(metrics + f * strides.flux_point + a * strides.component);
      State<Vector> const through = flux(inner[f], area, facts_.gas);
#pragma GCC unroll 5
      for (int v = 0; v < variables; ++v) fluxes[v][f] = through[v];
    }
#pragma GCC unroll 5
    for (int v = 0; v < variables; ++v) {
      fluxes[v][0] = V::load(begin + (v * shape.side_points() + line) * lanes + lane);
      fluxes[v][p + 1] = V::load(end + (v * shape.side_points() + line) * lanes + lane);
      N* const to = rates + line_at(d, line, v) + lane;
#pragma GCC unroll 16
      for (int i = 0; i <= p; ++i) {
        Vector const slope = differentiated<p>(matrices, i, fluxes[v]);
        V::store(to + i * stride, d == 0 ? slope : V::load(to + i * stride) + slope);
      }
    }
  }

  void update(N const* rates) {
    N const* const jacobian = data_.tables.geometry + pack_.jacobian;
    int const jacobian_stride = pack_.affine != 0 ? 0 : lanes;
    N* const kept = data_.kept + pack_.state;
    for (int v = 0; v < variables; ++v) {
      for (int i = 0; i < shape.points(); ++i) {
        for (int lane = 0; lane < lanes; lane += V::width) {
          int const at = shape.state_at(v, i) + lane;
          Vector const rate = -V::load(rates + at) * V::load(jacobian + i * jacobian_stride + lane);
          Vector value = V::load(state_ + at);
          Vector before = facts_.stage.first ? Vector{} : V::load(kept + at);
          take_stage(facts_.stage, rate, value, before);
          V::store(state_ + at, value);
          if (facts_.stage.first || facts_.stage.low_storage) V::store(kept + at, before);
        }
      }
    }
  }

  void write_traces(int d, int line, int lane, N* traces) const {
    int const stride = shape.line_stride(d) * lanes;
#pragma GCC unroll 5
    for (int v = 0; v < variables; ++v) {
      N const* const from = state_ + line_at(d, line, v) + lane;
      Vector values[p + 1];
#pragma GCC unroll 16
      for (int i = 0; i <= p; ++i) values[i] = V::load(from + i * stride);
      V::store(traces + shape.trace_at(2 * d, v, line) + lane,
               extrapolated<p>(matrices, 0, values));
      V::store(traces + shape.trace_at(2 * d + 1, v, line) + lane,
               extrapolated<p>(matrices, p + 1, values));
    }
  }

  void fill_outbox() const {
    for (std::int32_t i = 0; i < pack_.leaving; ++i) {
      Leaving const& side = data_.tables.leaving[pack_.first_leaving + i];
      for (std::int32_t k = 0; k < side.numbers; ++k)
        data_.outboxes[side.outbox][side.to + k] = data_.next_traces[side.from + k * lanes];
    }
  }

  StageData<N> const& data_;
  StageFacts<N> const& facts_;
  std::int32_t number_;
  TilePack const& pack_;
  N* state_;
};

template <class Set, class N, int p>
void run_packs(StageData<N> const& data, StageFacts<N> const& facts, int dimension, PackTask task,
               DegreeGroup const& group) {
  auto const each = [&]<int d>() {
    for (std::int32_t i = group.first; i < group.first + group.packs; ++i) {
      PackStage<Set, N, d, p> pack(data, facts, i);
      if (task == PackTask::stage) pack.advance();
      pack.publish();
    }
  };
  if (dimension == 2) {
    each.template operator()<2>();
  } else {
    each.template operator()<3>();
  }
}

}  // namespace tessera::spectral
