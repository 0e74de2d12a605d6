// SPDX-License-Identifier: MIT
// The passes of levels that are so small that a GPU only waits in them: a few threads, *lanes*,
// share each row, and all passes of all small levels run one after the other in one kernel
// (Machine::run_steps). The sums of the lanes are added as a tree, on cores too.
#pragma once

#include <cstdint>

#include "methods/steady/level.hpp"

namespace tessera::steady {

/// A row of b - A x; the pass has the matrix, b, and x by value(row).
template <class Equation, class T, class Pass>
struct SmallRow {
  using Value = typename Equation::template Value<T>;
  Pass const* pass;
  std::int64_t i;
  int length;  ///< entries
  Value own;
  Value start;  ///< before the entries' terms

  TESSERA_HOST_DEVICE SmallRow(Pass const& of, std::int64_t row)
      : pass(&of),
        i(row),
        length(of.rows.length[row]),
        own(of.value(row)),
        start(Equation::residual_start(of.b[row], own, of.rows, row)) {}

  /// Adds the term of entry k.
  TESSERA_HOST_DEVICE void add(int k, Value& r) const {
    std::int64_t const entry = pass->rows.index(i, k);
    Equation::add_edge(pass->rows.weight[entry], pass->value(pass->rows.to[entry]), own, r);
  }
  TESSERA_HOST_DEVICE Value strand(int lane) const {
    Value r{};
    if (lane == 0) r = start;
    for (int k = lane; k < length; k += Pass::lanes) add(k, r);
    return r;
  }
};

template <class Equation, class T>
struct SmoothSmall {
  using Value = typename Equation::template Value<T>;
  static constexpr int lanes = 8;
  Rows<Equation> rows;
  Value const* b = nullptr;
  Value const* x = nullptr;
  Value* y = nullptr;

  TESSERA_HOST_DEVICE Value value(std::int64_t i) const { return x[i]; }
  TESSERA_HOST_DEVICE auto row(std::int64_t i) const {
    return SmallRow<Equation, T, SmoothSmall>(*this, i);
  }
  TESSERA_HOST_DEVICE Value strand(std::int64_t i, int lane) const { return row(i).strand(lane); }
  TESSERA_HOST_DEVICE void finish(std::int64_t i, Value const& r) const {
    y[i] = x[i] + Equation::smoothed(r, rows.diagonal[i]);
  }
};

template <class Equation, class T>
struct ResidualSmall {
  using Value = typename Equation::template Value<T>;
  static constexpr int lanes = 8;
  SmoothSmall<Equation, T> of;

  TESSERA_HOST_DEVICE auto row(std::int64_t i) const { return of.row(i); }
  TESSERA_HOST_DEVICE Value strand(std::int64_t i, int lane) const { return of.strand(i, lane); }
  TESSERA_HOST_DEVICE void finish(std::int64_t i, Value const& r) const { of.y[i] = r; }
};

/// Sums the residual over an aggregate, and begins the next coarser level.
template <class Equation, class T>
struct RestrictSmall {
  using Value = typename Equation::template Value<T>;
  static constexpr int lanes = 8;
  std::int32_t const* child_at = nullptr;
  std::int32_t const* child = nullptr;
  Value const* r = nullptr;
  typename Equation::Weights const* diagonal = nullptr;
  Value* b = nullptr;
  Value* x = nullptr;

  TESSERA_HOST_DEVICE Value strand(std::int64_t a, int lane) const {
    Value sum{};
    std::int32_t const end = child_at[a + 1];
    for (std::int32_t c = child_at[a] + lane; c < end; c += lanes) sum += r[child[c]];
    return sum;
  }
  TESSERA_HOST_DEVICE void finish(std::int64_t a, Value const& sum) const {
    b[a] = sum;
    x[a] = Equation::smoothed(sum, diagonal[a]);
  }
};

/// The correction from the level above and the smoothing after it.
template <class Equation, class T>
struct CorrectSmall {
  using Value = typename Equation::template Value<T>;
  static constexpr int lanes = 8;
  Rows<Equation> rows;
  Value const* b = nullptr;
  Value const* x = nullptr;
  std::int32_t const* parent = nullptr;
  Value const* coarse = nullptr;
  Value* y = nullptr;

  /// x as corrected.
  TESSERA_HOST_DEVICE Value value(std::int64_t i) const {
    return Equation::corrected(x[i], coarse[parent[i]]);
  }
  TESSERA_HOST_DEVICE auto row(std::int64_t i) const {
    return SmallRow<Equation, T, CorrectSmall>(*this, i);
  }
  TESSERA_HOST_DEVICE Value strand(std::int64_t i, int lane) const { return row(i).strand(lane); }
  TESSERA_HOST_DEVICE void finish(std::int64_t i, Value const& r) const {
    y[i] = value(i) + Equation::smoothed(r, rows.diagonal[i]);
  }
};

/// The last level, by its dense inverse.
template <class Equation, class T>
struct DenseSolve {
  using Value = T;
  using Unknowns = typename Equation::template Value<T>;
  static constexpr int lanes = 32;
  std::int32_t const* first = nullptr;
  std::int32_t const* last = nullptr;
  std::int64_t const* offset = nullptr;
  float const* values = nullptr;
  typename Equation::Weights const* diagonal = nullptr;
  Unknowns const* b = nullptr;
  Unknowns* x = nullptr;

  TESSERA_HOST_DEVICE T strand(std::int64_t i, int lane) const {
    float const* const row = values + offset[i];
    Unknowns const* const other = b + first[i];
    std::int32_t const size = last[i] - first[i];
    T sum = 0;
    TESSERA_UNROLL_BY_8
    for (std::int32_t j = lane; j < size; j += lanes)
      sum += static_cast<T>(row[j]) * Equation::inverted_part(other[j]);
    return sum;
  }
  TESSERA_HOST_DEVICE void finish(std::int64_t i, T sum) const {
    x[i] = Equation::solved(sum, b[i], diagonal[i]);
  }
};

/// One of the passes of small levels, for `count` rows.
template <class Equation, class T>
struct SmallPass {
  enum class Kind : std::int32_t { smooth, residual, restrict_up, correct, solve };
  std::int64_t count = 0;
  Kind kind;
  union {
    SmoothSmall<Equation, T> smooth;
    ResidualSmall<Equation, T> residual;
    RestrictSmall<Equation, T> restrict_up;
    CorrectSmall<Equation, T> correct;
    DenseSolve<Equation, T> solve;
  };

  static SmallPass of(std::int64_t count, SmoothSmall<Equation, T> const& pass) {
    return {.count = count, .kind = Kind::smooth, .smooth = pass};
  }
  static SmallPass of(std::int64_t count, ResidualSmall<Equation, T> const& pass) {
    return {.count = count, .kind = Kind::residual, .residual = pass};
  }
  static SmallPass of(std::int64_t count, RestrictSmall<Equation, T> const& pass) {
    return {.count = count, .kind = Kind::restrict_up, .restrict_up = pass};
  }
  static SmallPass of(std::int64_t count, CorrectSmall<Equation, T> const& pass) {
    return {.count = count, .kind = Kind::correct, .correct = pass};
  }
  static SmallPass of(std::int64_t count, DenseSolve<Equation, T> const& pass) {
    return {.count = count, .kind = Kind::solve, .solve = pass};
  }

  /// Calls run(count, pass) with the pass of its kind.
  template <class Run>
  TESSERA_HOST_DEVICE void with(Run const& run) const {
    switch (kind) {
      case Kind::smooth:
        return run(count, smooth);
      case Kind::residual:
        return run(count, residual);
      case Kind::restrict_up:
        return run(count, restrict_up);
      case Kind::correct:
        return run(count, correct);
      case Kind::solve:
        return run(count, solve);
    }
  }
};

}  // namespace tessera::steady
