// SPDX-License-Identifier: MIT
// The passes of levels that are so small that a GPU only waits in them: a few threads, *lanes*,
// share each row, and all passes of all small levels run one after the other in one kernel
// (Machine::run_steps). The sums of the lanes are added as a tree, on cores too.
#pragma once

#include <cstdint>

#include "methods/stokes/level.hpp"
#include "methods/stokes/smoothing.hpp"

namespace tessera::stokes {

/// A row of b - A x; the pass has the matrix, b, and x by value(row).
template <class T, class Pass>
struct SmallRow {
  Pass const* pass;
  std::int64_t i;
  int length;  ///< entries
  Four<T> own;
  Four<T> start;  ///< before the entries' terms

  TESSERA_HOST_DEVICE SmallRow(Pass const& of, std::int64_t row)
      : pass(&of),
        i(row),
        length(of.rows.length[row]),
        own(of.value(row)),
        start(residual_start(of.b[row], own, of.rows.diagonal[row])) {}

  /// Adds the term of entry k.
  TESSERA_HOST_DEVICE void add(int k, Four<T>& r) const {
    std::int64_t const entry = pass->rows.index(i, k);
    add_edge(pass->rows.weight[entry], pass->value(pass->rows.to[entry]), own, r);
  }
  TESSERA_HOST_DEVICE Four<T> strand(int lane) const {
    Four<T> r{0, 0, 0, 0};
    if (lane == 0) r = start;
    for (int k = lane; k < length; k += Pass::lanes) add(k, r);
    return r;
  }
};

template <class T>
struct SmoothSmall {
  using Value = Four<T>;
  static constexpr int lanes = 8;
  Rows rows;
  Four<T> const* b = nullptr;
  Four<T> const* x = nullptr;
  Four<T>* y = nullptr;

  TESSERA_HOST_DEVICE Four<T> value(std::int64_t i) const { return x[i]; }
  TESSERA_HOST_DEVICE auto row(std::int64_t i) const { return SmallRow<T, SmoothSmall>(*this, i); }
  TESSERA_HOST_DEVICE Four<T> strand(std::int64_t i, int lane) const { return row(i).strand(lane); }
  TESSERA_HOST_DEVICE void finish(std::int64_t i, Four<T> const& r) const {
    y[i] = x[i] + divided(r, rows.diagonal[i]);
  }
};

template <class T>
struct ResidualSmall {
  using Value = Four<T>;
  static constexpr int lanes = 8;
  SmoothSmall<T> of;

  TESSERA_HOST_DEVICE auto row(std::int64_t i) const { return of.row(i); }
  TESSERA_HOST_DEVICE Four<T> strand(std::int64_t i, int lane) const { return of.strand(i, lane); }
  TESSERA_HOST_DEVICE void finish(std::int64_t i, Four<T> const& r) const { of.y[i] = r; }
};

/// Sums the residual over an aggregate, and begins the next coarser level.
template <class T>
struct RestrictSmall {
  using Value = Four<T>;
  static constexpr int lanes = 8;
  std::int32_t const* child_at = nullptr;
  std::int32_t const* child = nullptr;
  Four<T> const* r = nullptr;
  Two<float> const* diagonal = nullptr;
  Four<T>* b = nullptr;
  Four<T>* x = nullptr;

  TESSERA_HOST_DEVICE Four<T> strand(std::int64_t a, int lane) const {
    Four<T> sum{0, 0, 0, 0};
    std::int32_t const end = child_at[a + 1];
    for (std::int32_t c = child_at[a] + lane; c < end; c += lanes) sum += r[child[c]];
    return sum;
  }
  TESSERA_HOST_DEVICE void finish(std::int64_t a, Four<T> const& sum) const {
    b[a] = sum;
    x[a] = divided(sum, diagonal[a]);
  }
};

/// The correction from the level above and the smoothing after it.
template <class T>
struct CorrectSmall {
  using Value = Four<T>;
  static constexpr int lanes = 8;
  Rows rows;
  Four<T> const* b = nullptr;
  Four<T> const* x = nullptr;
  std::int32_t const* parent = nullptr;
  Four<T> const* coarse = nullptr;
  Four<T>* y = nullptr;

  /// x as corrected.
  TESSERA_HOST_DEVICE Four<T> value(std::int64_t i) const {
    Two<T> const over{static_cast<T>(pressure_correction), static_cast<T>(velocity_correction)};
    return x[i] + over * coarse[parent[i]];
  }
  TESSERA_HOST_DEVICE auto row(std::int64_t i) const { return SmallRow<T, CorrectSmall>(*this, i); }
  TESSERA_HOST_DEVICE Four<T> strand(std::int64_t i, int lane) const { return row(i).strand(lane); }
  TESSERA_HOST_DEVICE void finish(std::int64_t i, Four<T> const& r) const {
    y[i] = value(i) + divided(r, rows.diagonal[i]);
  }
};

/// The last level: the pressure by its dense inverse, the velocity, which the walls hold, by its
/// diagonal.
template <class T>
struct DenseSolve {
  using Value = T;
  static constexpr int lanes = 32;
  std::int32_t const* first = nullptr;
  std::int32_t const* last = nullptr;
  std::int64_t const* offset = nullptr;
  float const* values = nullptr;
  Two<float> const* diagonal = nullptr;
  Four<T> const* b = nullptr;
  Four<T>* x = nullptr;

  TESSERA_HOST_DEVICE T strand(std::int64_t i, int lane) const {
    float const* const row = values + offset[i];
    Four<T> const* const other = b + first[i];
    std::int32_t const size = last[i] - first[i];
    T sum = 0;
    TESSERA_UNROLL_BY_8
    for (std::int32_t j = lane; j < size; j += lanes) sum += static_cast<T>(row[j]) * other[j].s;
    return sum;
  }
  TESSERA_HOST_DEVICE void finish(std::int64_t i, T sum) const {
    T const v = T{1} / static_cast<T>(diagonal[i].v);
    Four<T> const own = b[i];
    x[i] = {sum, v * own.x, v * own.y, v * own.z};
  }
};

/// One of the passes of small levels, for `count` rows.
template <class T>
struct SmallPass {
  enum class Kind : std::int32_t { smooth, residual, restrict_up, correct, solve };
  std::int64_t count = 0;
  Kind kind;
  union {
    SmoothSmall<T> smooth;
    ResidualSmall<T> residual;
    RestrictSmall<T> restrict_up;
    CorrectSmall<T> correct;
    DenseSolve<T> solve;
  };

  static SmallPass of(std::int64_t count, SmoothSmall<T> const& pass) {
    return {.count = count, .kind = Kind::smooth, .smooth = pass};
  }
  static SmallPass of(std::int64_t count, ResidualSmall<T> const& pass) {
    return {.count = count, .kind = Kind::residual, .residual = pass};
  }
  static SmallPass of(std::int64_t count, RestrictSmall<T> const& pass) {
    return {.count = count, .kind = Kind::restrict_up, .restrict_up = pass};
  }
  static SmallPass of(std::int64_t count, CorrectSmall<T> const& pass) {
    return {.count = count, .kind = Kind::correct, .correct = pass};
  }
  static SmallPass of(std::int64_t count, DenseSolve<T> const& pass) {
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

}  // namespace tessera::stokes
