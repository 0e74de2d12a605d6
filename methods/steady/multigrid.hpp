// SPDX-License-Identifier: MIT
// One cycle: damped Jacobi before and after, sums down, constants up times an over-correction, and
// two cycles on each coarse problem (W).
//
// With two cycles on the *same* coarse problem its error operator is the square of one cycle's: the
// coarse inverse stays symmetric and between 0 and the exact one, whatever the over-correction. An
// odd number of visits, or a new fine residual between them, has no such bound.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "methods/steady/hierarchy.hpp"
#include "methods/steady/small_levels.hpp"

namespace tessera::steady {

/// Residual of the finest level, summed over the aggregates of a chunk; begins the level above.
/// `Fine` has the matrix, which is not stored: residual(at) is b - A x at a node or at a group of
/// nodes.
template <class Fine>
struct RestrictFine {
  using Equation = typename Fine::Equation;
  using Value = typename Fine::Value;
  Fine fine;
  std::int32_t const* chunk_aggregate = nullptr;
  std::int32_t const* first_slot = nullptr;
  std::uint8_t const* part_of = nullptr;
  typename Equation::Weights const* diagonal = nullptr;
  Value* b = nullptr;
  Value* x = nullptr;

  static constexpr bool in_groups = Fine::in_groups;
  template <class At>
  TESSERA_HOST_DEVICE auto value(At at) const {
    return fine.residual(at);
  }
  TESSERA_HOST_DEVICE void gather(std::int64_t chunk, int t, Value const* values) const {
    std::int64_t const a = std::int64_t{chunk_aggregate[chunk]} + t;
    if (a >= chunk_aggregate[chunk + 1]) return;
    std::int64_t const begin = first_slot[a] - chunk * chunk_size;
    std::int64_t const end = begin + count_bits(part_of[a]);
    Value sum = values[begin];
    for (std::int64_t k = begin + 1; k < end; ++k) sum = sum + values[k];
    b[a] = sum;
    x[a] = Equation::smoothed(sum, diagonal[a]);
  }
};

template <class Equation, class T>
struct Correct {
  using Value = typename Equation::template Value<T>;
  std::int32_t const* parent = nullptr;
  Value const* coarse = nullptr;
  Value* x = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    std::int32_t const a = parent[i];
    if (a < 0) return;
    x[i] = Equation::corrected(x[i], coarse[a]);
  }
};

/// The matrix of a large level, whose passes take a thread a row, so that reads are contiguous.
template <class Equation, class T>
struct CoarseMatrix {
  using Value = typename Equation::template Value<T>;
  Rows<Equation> rows;
  Value const* b = nullptr;
  Value const* x = nullptr;

  TESSERA_HOST_DEVICE Value residual(std::int64_t i, Value& own) const {
    own = x[i];
    Value r = Equation::residual_start(b[i], own, rows, i);
    int const length = rows.length[i];
    for (int k = 0; k < length; ++k) {
      std::int64_t const at = rows.index(i, k);
      Equation::add_edge(rows.weight[at], x[rows.to[at]], own, r);
    }
    return r;
  }
};
template <class Equation, class T>
struct CoarseResidual {
  using Value = typename Equation::template Value<T>;
  CoarseMatrix<Equation, T> matrix;
  Value* r = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    Value own{};
    r[i] = matrix.residual(i, own);
  }
};
template <class Equation, class T>
struct CoarseSmooth {
  using Value = typename Equation::template Value<T>;
  CoarseMatrix<Equation, T> matrix;
  Value* y = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    Value own{};
    Value const r = matrix.residual(i, own);
    y[i] = own + Equation::smoothed(r, matrix.rows.diagonal[i]);
  }
};
template <class Equation, class T>
struct RestrictCoarse {
  using Value = typename Equation::template Value<T>;
  std::int32_t const* child_at = nullptr;
  std::int32_t const* child = nullptr;
  Value const* r = nullptr;
  typename Equation::Weights const* diagonal = nullptr;
  Value* b = nullptr;
  Value* x = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    std::int32_t const end = child_at[a + 1];
    Value sum = r[child[child_at[a]]];
    for (std::int32_t k = child_at[a] + 1; k < end; ++k) sum = sum + r[child[k]];
    b[a] = sum;
    x[a] = Equation::smoothed(sum, diagonal[a]);
  }
};
/// The first smoothing, from a guess of 0.
template <class Equation, class T>
struct BeginCoarse {
  using Value = typename Equation::template Value<T>;
  Value const* b = nullptr;
  typename Equation::Weights const* diagonal = nullptr;
  Value* x = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    x[i] = Equation::smoothed(b[i], diagonal[i]);
  }
};

/// The vectors of the cycle, and the cycle.
template <class Equation, class T, class Machine>
class Multigrid {
 public:
  using Value = typename Equation::template Value<T>;
  using Nodes = NodeSet<Machine, Equation::links>;
  using Levels = Hierarchy<Machine, Equation>;

  Multigrid(Machine& machine, Nodes const& set, Levels const& hierarchy)
      : machine_(machine), set_(set), hierarchy_(hierarchy), small_(hierarchy.small) {
    typename Machine::Halo const none;
    auto const* of_finer = &none;
    for (Level<Machine, Equation> const& level : hierarchy.levels) {
      auto const vector = [&](auto const&... beside) {
        return machine.template array_of<Value>(level.size, 0, {&beside...});
      };
      vectors_.push_back({vector(), vector(level.near, *of_finer), vector(level.near, *of_finer),
                          vector(level.children)});
      of_finer = &level.parents;
    }
    list_small();
  }

  /// Takes the right-hand side and x after the first smoothing, and corrects x for the last
  /// smoothing to begin with; afterwards the halo of x is valid.
  template <class Fine>
  void correct(Fine const& fine, Value* x) {
    Level<Machine, Equation> const& first = hierarchy_.levels.front();
    machine_.refresh(set_.near, x);
    machine_.gather_chunks(
        set_.chunks, RestrictFine<Fine>{fine, set_.chunk_aggregate.get(), set_.first_slot.get(),
                                        set_.part_of.get(), first.diagonal.get(),
                                        vectors_[0].b.get(), begin_of(0)});
    begin_for_all(0);
    visit_twice(0);
    machine_.for_each(set_.slots, Correct<Equation, T>{set_.parent.get(), end_of(0), x});
    machine_.refresh(set_.near, x);
  }

  /// Values of T or float that a cycle moves on the coarse levels.
  double bytes() const {
    double sum = 0;
    double visits = 2;
    for (std::size_t l = 0; l + 1 < hierarchy_.levels.size(); ++l, visits *= 2) {
      auto const& level = hierarchy_.levels[l];
      // Residual, smoothing after, and before in every other visit: rows, and some vectors.
      sum += visits * 2.5 *
             ((sizeof(std::int32_t) + sizeof(typename Equation::Weights)) *
                  static_cast<double>(level.entries) +
              (5 * sizeof(Value) + 12.0) * static_cast<double>(level.size.count));
    }
    return sum;
  }

 private:
  using Array = typename Machine::template Array<Value>;
  struct Vectors {
    Array b, x, y, r;
  };

  /// Where the first smoothing of a level goes, and where its result is then.
  Value* begin_of(std::size_t l) const { return l < small_ ? vectors_[l].x.get() : small_begin_; }
  Value const* end_of(std::size_t l) const { return l < small_ ? vectors_[l].x.get() : small_end_; }

  void visit_twice(std::size_t l) {
    if (l == small_) return machine_.run_steps(small_passes_);
    visit(l);
    smooth(l);
    visit(l);
  }

  /// One cycle from an x that has been smoothed; the first smoothing is from a guess of 0.
  void visit(std::size_t l) {
    Level<Machine, Equation> const& level = hierarchy_.levels[l];
    Level<Machine, Equation> const& above = hierarchy_.levels[l + 1];
    machine_.refresh(level.near, vectors_[l].x.get());
    machine_.for_each(level.size, CoarseResidual<Equation, T>{matrix(l), vectors_[l].r.get()});
    machine_.refresh(level.children, vectors_[l].r.get());
    machine_.for_each(above.made,
                      RestrictCoarse<Equation, T>{level.child_at.get(), level.child.get(),
                                                  vectors_[l].r.get(), above.diagonal.get(),
                                                  vectors_[l + 1].b.get(), begin_of(l + 1)});
    begin_for_all(l + 1);
    visit_twice(l + 1);
    if (above.size.shared) machine_.refresh(level.parents, vectors_[l + 1].x.get());
    machine_.for_each(level.size,
                      Correct<Equation, T>{level.parent.get(), end_of(l + 1), vectors_[l].x.get()});
    smooth(l);
  }
  /// Begins a level that all processes compute, with the right-hand sides of all processes.
  void begin_for_all(std::size_t l) {
    Level<Machine, Equation> const& level = hierarchy_.levels[l];
    if (!level.made.shared || level.size.shared) return;
    Value* const b = vectors_[l].b.get();
    machine_.all_gather(b, level.made);
    machine_.for_each(level.size, BeginCoarse<Equation, T>{b, level.diagonal.get(), begin_of(l)});
  }
  CoarseMatrix<Equation, T> matrix(std::size_t l) const {
    return {hierarchy_.levels[l].rows(), vectors_[l].b.get(), vectors_[l].x.get()};
  }
  void smooth(std::size_t l) {
    Vectors& v = vectors_[l];
    machine_.refresh(hierarchy_.levels[l].near, v.x.get());
    machine_.for_each(hierarchy_.levels[l].size, CoarseSmooth<Equation, T>{matrix(l), v.y.get()});
    std::swap(v.x, v.y);
  }

  void list_small() {
    small_begin_ = vectors_[small_].x.get();
    std::vector<SmallPass<Equation, T>> passes;
    list_twice(small_, passes);
    small_end_ = vectors_[small_].x.get();
    small_passes_ = typename Machine::template Steps<SmallPass<Equation, T>>(machine_, passes);
  }
  /// Lists the passes of two cycles on small levels, as visit_twice() runs them on others.
  void list_twice(std::size_t l, std::vector<SmallPass<Equation, T>>& passes) {
    if (l + 1 == hierarchy_.levels.size()) {  // exact: once is enough
      Level<Machine, Equation> const& level = hierarchy_.levels[l];
      passes.push_back(SmallPass<Equation, T>::of(
          level.size.count,
          DenseSolve<Equation, T>{hierarchy_.dense_first.get(), hierarchy_.dense_last.get(),
                                  hierarchy_.dense_offset.get(), hierarchy_.dense.get(),
                                  level.diagonal.get(), vectors_[l].b.get(), vectors_[l].x.get()}));
      return;
    }
    list(l, passes);
    list_smoothing(l, passes);
    list(l, passes);
  }
  void list_smoothing(std::size_t l, std::vector<SmallPass<Equation, T>>& passes) {
    Level<Machine, Equation> const& level = hierarchy_.levels[l];
    Vectors& v = vectors_[l];
    passes.push_back(SmallPass<Equation, T>::of(
        level.size.count, SmoothSmall<Equation, T>{level.rows(), v.b.get(), v.x.get(), v.y.get()}));
    std::swap(v.x, v.y);
  }
  /// visit(), as a list.
  void list(std::size_t l, std::vector<SmallPass<Equation, T>>& passes) {
    Level<Machine, Equation> const& level = hierarchy_.levels[l];
    Level<Machine, Equation> const& above = hierarchy_.levels[l + 1];
    Vectors& v = vectors_[l];
    Vectors& next = vectors_[l + 1];
    passes.push_back(SmallPass<Equation, T>::of(
        level.size.count, ResidualSmall<Equation, T>{SmoothSmall<Equation, T>{
                              level.rows(), v.b.get(), v.x.get(), v.r.get()}}));
    passes.push_back(SmallPass<Equation, T>::of(
        above.size.count,
        RestrictSmall<Equation, T>{level.child_at.get(), level.child.get(), v.r.get(),
                                   above.diagonal.get(), next.b.get(), next.x.get()}));
    list_twice(l + 1, passes);
    passes.push_back(SmallPass<Equation, T>::of(
        level.size.count, CorrectSmall<Equation, T>{level.rows(), v.b.get(), v.x.get(),
                                                    level.parent.get(), next.x.get(), v.y.get()}));
    std::swap(v.x, v.y);
  }

  Machine& machine_;
  Nodes const& set_;
  Levels const& hierarchy_;
  std::vector<Vectors> vectors_;
  std::size_t small_;  ///< the first level whose passes are small
  Value* small_begin_ = nullptr;
  Value const* small_end_ = nullptr;
  typename Machine::template Steps<SmallPass<Equation, T>> small_passes_;
};

}  // namespace tessera::steady
