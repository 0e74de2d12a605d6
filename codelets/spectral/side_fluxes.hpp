// SPDX-License-Identifier: MIT
// The common fluxes of a side of a pack, on cores: the states on both sides of it, brought to the
// same points, and a Riemann solver. Any degree; compiled once for each instruction set.
#pragma once

#include "codelets/spectral/side_kernels.hpp"
#include "codelets/spectral/vectors.hpp"
#include "models/spectral/matrices.hpp"

namespace tessera::spectral {

inline constexpr int most_side_points = power(most_degree + 1, 2);
inline constexpr int most_side_numbers = variables * most_side_points * lanes;

template <class Set, class N>
class SideFluxes {
  using V = Vectors<Set, N>;
  using Vector = typename V::Vector;

 public:
  explicit SideFluxes(SideTask<N> const& task)
      : task_(task),
        pack_(task.data.tables.packs[task.pack]),
        shape_{task.dimension, pack_.degree},
        inside_(task.data.sources[0] + pack_.traces + shape_.trace_at(task.side, 0, 0)) {}

  void run() const {
    std::int32_t const first = pack_.first_part[task_.side];
    std::int32_t const end = pack_.first_part[task_.side + 1];
    if (end == first + 1) {
      run_part(task_.data.tables.parts[first], task_.fluxes);
      return;
    }
    alignas(64) N fluxes[most_side_numbers];
    for (std::int32_t i = first; i < end; ++i) {
      SidePart const& part = task_.data.tables.parts[i];
      run_part(part, fluxes);
      for (int lane = 0; lane < lanes; ++lane) {
        if ((part.lanes >> lane & 1) == 0) continue;
        for (int at = lane; at < shape_.trace_size(); at += lanes) task_.fluxes[at] = fluxes[at];
      }
    }
  }

 private:
  /// Areas towards the positive axis.
  struct Areas {
    N const* first;
    int component;
    int point;
  };

  void run_part(SidePart const& part, N* fluxes) const {
    if (part.degree < 0) {
      alignas(64) N outside[most_side_numbers];
      find_outside_states(part, outside);
      solve(inside_, outside, own_areas(), shape_.side_points(), fluxes);
    } else if (part.degree == shape_.degree) {
      alignas(64) N outside[most_side_numbers];
      gather(part, outside);
      solve(inside_, outside, own_areas(), shape_.side_points(), fluxes);
    } else {
      meet_on_mortar(part, fluxes);
    }
  }

  Areas own_areas() const {
    MetricStrides const strides = metric_strides(shape_, pack_.affine != 0);
    int const end = task_.side % 2 == 0 ? 0 : shape_.degree + 1;
    return {task_.data.tables.geometry + pack_.metrics + task_.side / 2 * strides.direction +
                end * strides.flux_point,
            strides.component, strides.line};
  }

  /// The traces behind a side, in its own order of points. Lanes of other parts get a copy of one.
  void gather(SidePart const& part, N* outside) const {
    Link const* const of_side =
        task_.data.tables.links + (task_.pack * shape_.sides() + task_.side) * lanes;
    int const some_lane = __builtin_ctz(static_cast<unsigned>(part.lanes));
    Link links[lanes];
    for (int lane = 0; lane < lanes; ++lane)
      links[lane] = of_side[(part.lanes >> lane & 1) != 0 ? lane : some_lane];
    PackShape const theirs{shape_.dimension, part.degree};
    if (gather_from_packs(links, theirs, outside)) return;
    for (int lane = 0; lane < lanes; ++lane) {
      N const* const from = task_.data.sources[links[lane].source] + links[lane].begin;
      gather_lane(from, links[lane].stride, links[lane].turn, theirs, outside + lane);
    }
  }

  /// Where all neighbours are in a few packs of this tile and their axes agree, their vectors are
  /// shuffled. Returns whether that is so.
  bool gather_from_packs(Link const (&links)[lanes], PackShape theirs, N* outside) const {
    if constexpr (V::width != lanes) {
      return false;
    } else {
      constexpr int most_packs = 4;  // with more, lane by lane is as fast
      std::int64_t begin[most_packs] = {};
      typename V::Indices from[most_packs] = {};  // of the lanes so far, and of the pack's
      int packs = 0;
      for (int lane = 0; lane < lanes; ++lane) {
        Link const& link = links[lane];
        if (link.source != 0 || link.turn != 0) return false;
        std::int64_t const pack = link.begin & -lanes;
        int k = 0;
        while (k < packs && begin[k] != pack) ++k;
        if (k == most_packs) return false;
        if (k == packs) {
          begin[packs++] = pack;
          for (int other = 0; other < lanes; ++other) from[k][other] = other;
        }
        from[k][lane] = lanes + static_cast<int>(link.begin & (lanes - 1));
      }
      N const* const traces = task_.data.sources[0];
      for (int at = 0; at < theirs.trace_size(); at += lanes) {
        Vector found{};
        for (int k = 0; k < packs; ++k)
          found = V::shuffled(found, V::load(traces + begin[k] + at), from[k]);
        V::store(outside + at, found);
      }
      return true;
    }
  }

  static void gather_lane(N const* from, int stride, int turn, PackShape theirs, N* to) {
    int const points = variables * theirs.side_points();
    if (turn == 0) {
#pragma GCC unroll 4
      for (int i = 0; i < points; ++i) to[i * lanes] = from[i * stride];
      return;
    }
    // Affine in a and b.
    int const n = theirs.degree + 1;
    int const rows = theirs.dimension == 2 ? 1 : n;
    int const origin = turned_point(turn, n, 0, 0);
    int const along_a = n == 1 ? 0 : (turned_point(turn, n, 1, 0) - origin) * stride;
    int const along_b = rows == 1 ? 0 : (turned_point(turn, n, 0, 1) - origin) * stride;
    for (int v = 0; v < variables; ++v) {
      for (int b = 0; b < rows; ++b) {
        N const* const row = from + (v * theirs.side_points() + origin) * stride + b * along_b;
        for (int a = 0; a < n; ++a, to += lanes) *to = row[a * along_a];
      }
    }
  }

  void find_outside_states(SidePart const& part, N* outside) const {
    auto const kind = static_cast<BoundaryKind>(part.boundary);
    N const* const given = task_.data.tables.geometry + part.values;
    Areas const areas = own_areas();
    int const points = shape_.side_points();
    N const outwards = task_.side % 2 == 0 ? N{-1} : N{1};
    for (int i = 0; i < points; ++i) {
      for (int lane = 0; lane < lanes; lane += V::width) {
        State<Vector> const in = load_state(inside_, points, i, lane);
        State<Vector> const there = load_state(given, points, i, lane);
        Direction<Vector> outward = direction(areas, i, lane);
        for (Vector& component : outward.n) component *= outwards;
        State<Vector> const out = outside_state(kind, in, there, outward.n, task_.facts.gas);
        for (int v = 0; v < variables; ++v)
          V::store(outside + (v * points + i) * lanes + lane, out[v]);
      }
    }
  }

  /// Both states at the points of the higher degree; the fluxes back at the own ones.
  void meet_on_mortar(SidePart const& part, N* fluxes) const {
    alignas(64) N outside[most_side_numbers];
    alignas(64) N on_mortar[most_side_numbers];
    gather(part, outside);
    if (part.degree < shape_.degree) {
      change_degree(outside, part.degree, shape_.degree, on_mortar);
      solve(inside_, on_mortar, own_areas(), shape_.side_points(), fluxes);
      return;
    }
    PackShape const theirs{shape_.dimension, part.degree};
    MetricStrides const strides = metric_strides(theirs, part.affine != 0);
    Areas const areas{task_.data.tables.geometry + part.values, strides.component, strides.line};
    alignas(64) N fluxes_there[most_side_numbers];
    change_degree(inside_, shape_.degree, part.degree, on_mortar);
    solve(on_mortar, outside, areas, theirs.side_points(), fluxes_there);
    change_degree(fluxes_there, part.degree, shape_.degree, fluxes);
  }

  /// All variables of a side from the points of one degree to those of another.
  void change_degree(N const* values, int from, int to, N* result) const {
    N const* const matrix = mortar_matrices<N>().between(from, to);
    int const columns = from + 1;
    int const rows = to + 1;
    if (task_.dimension == 2) {
      multiply(matrix, rows, columns, values, variables, 1, result);
      return;
    }
    alignas(64) N half_way[most_side_numbers];
    multiply(matrix, rows, columns, values, variables * columns, 1, half_way);  // along a
    multiply(matrix, rows, columns, half_way, variables, rows, result);         // along b
  }

  /// result[outer][row][inner][8] = sum over columns of matrix[row][column]
  /// values[outer][column][inner][8].
  static void multiply(N const* matrix, int rows, int columns, N const* values, int outer,
                       int inner, N* result) {
    for (int o = 0; o < outer; ++o) {
      for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < inner * lanes; i += V::width) {
          N const* const column = values + o * columns * inner * lanes + i;
          Vector sum = matrix[row * columns] * V::load(column);
          for (int c = 1; c < columns; ++c)
            sum += matrix[row * columns + c] * V::load(column + c * inner * lanes);
          V::store(result + (o * rows + row) * inner * lanes + i, sum);
        }
      }
    }
  }

  static State<Vector> load_state(N const* from, int points, int point, int lane) {
    State<Vector> state;
    for (int v = 0; v < variables; ++v)
      state[v] = V::load(from + (v * points + point) * lanes + lane);
    return state;
  }

  Direction<Vector> direction(Areas const& areas, int point, int lane) const {
    N const* const first = areas.first + point * areas.point + lane;
    Vector const area[3] = {V::load(first), V::load(first + areas.component),
                            task_.dimension == 3 ? V::load(first + 2 * areas.component) : Vector{}};
    return direction_of(area);
  }

  void solve(N const* inside, N const* outside, Areas const& areas, int points, N* fluxes) const {
    switch (task_.facts.riemann) {
      case RiemannSolver::roe:
        solve_by<RiemannSolver::roe>(inside, outside, areas, points, fluxes);
        break;
      case RiemannSolver::hllc:
        solve_by<RiemannSolver::hllc>(inside, outside, areas, points, fluxes);
        break;
      case RiemannSolver::rusanov:
        solve_by<RiemannSolver::rusanov>(inside, outside, areas, points, fluxes);
        break;
    }
  }

  template <RiemannSolver solver>
  void solve_by(N const* inside, N const* outside, Areas const& areas, int points,
                N* fluxes) const {
    // The states are left and right, as for the neighbour: on elements whose axes agree both
    // compute the same bits.
    N const* const left = task_.side % 2 == 0 ? outside : inside;
    N const* const right = task_.side % 2 == 0 ? inside : outside;
    for (int lane = 0; lane < lanes; lane += V::width) {
      Direction<Vector> through = direction(areas, 0, lane);
      for (int i = 0; i < points; ++i) {
        if (i > 0 && areas.point != 0) through = direction(areas, i, lane);
        State<Vector> const f = common_flux(solver, load_state(left, points, i, lane),
                                            load_state(right, points, i, lane), through,
                                            task_.facts.gas, task_.facts.entropy_fix);
        for (int v = 0; v < variables; ++v)
          V::store(fluxes + (v * points + i) * lanes + lane, f[v]);
      }
    }
  }

  SideTask<N> const& task_;
  TilePack const& pack_;
  PackShape shape_;
  N const* inside_;  ///< the own trace
};

template <class Set, class N>
void SideKernels<Set, N>::find_fluxes(SideTask<N> const& task) {
  SideFluxes<Set, N>(task).run();
}

}  // namespace tessera::spectral
