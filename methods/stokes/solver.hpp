// SPDX-License-Identifier: MIT
// The solver of one axis, for a machine and a precision: the passes of methods/stokes/lanczos.hpp
// and methods/stokes/solution.hpp in their order.
#pragma once

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "methods/steady/multigrid.hpp"
#include "methods/steady/on_host.hpp"
#include "methods/steady/voxels.hpp"
#include "methods/stokes/pore_space.hpp"
#include "methods/stokes/slices.hpp"
#include "methods/stokes/small_problem.hpp"
#include "methods/stokes/solution.hpp"
#include "methods/stokes/state_sums.hpp"
#include "methods/stokes/stokes.hpp"
#include "models/lattice/step_bytes.hpp"

namespace tessera::steady::stokes {

template <class T, class Medium, class Machine>
class Solver final : public StokesSolver {
 public:
  Solver(Space<Machine>& space, Medium const& medium, Axis axis)
      : space_(space),
        medium_(medium),
        machine_(space.machine),
        set_(space.set),
        axis_(static_cast<int>(index_of(axis))),
        multigrid_(machine_, set_, space.hierarchy),
        v_(lanczos_vector()),
        w_(lanczos_vector()),
        f_(of_slots<Four<T>>()),
        b_(of_slots<Four<T>>()),
        x_(of_slots<Four<T>>()),
        q_(of_slots<Four<T>>()),
        p_(of_slots<Four<T>>()),
        solution_(of_slots<Four<double>>()),
        scalars_(array<LanczosScalars>(1)),
        mean_(array<double>(static_cast<std::size_t>(set_.parts))),
        sums_(array<double>(static_cast<std::size_t>(std::max<std::int64_t>(set_.parts, 3)))) {
    if (space.keeps_odd_halves) odd_ = lanczos_vector();
    machine_.for_each(set_.slots, StartWithForce<T>{set_.parent.get(), axis_, w_.get()});
    begin();
    first_norm_ = look().beta.front();  // NOLINT: once it has begun
  }

  StokesEstimate iterate(int count) override {
    for (int k = 0; k < count && !estimate_.broken; ++k) {
      if (step_ == most_iterations) confirm();
      machine_.repeat(graphs_, (v_.get() < w_.get() ? 1 : 0) + (q_.get() < p_.get() ? 2 : 0),
                      [this] { iteration(); });
      std::swap(v_, w_);
      std::swap(q_, p_);
      refresh_vector();
      ++step_;
    }
    take_estimate();
    return estimate_;
  }

  StokesEstimate estimate() const override { return estimate_; }

  StokesConfirmation confirm() override {
    StokesConfirmation c;
    take_estimate();
    c.expected = estimate_.residual;
    error_before_ = estimate_.error_estimate;
    machine_.for_each(set_.slots, AddLastDirection<T>{scalars_.get(), q_.get(), solution_.get()});
    clear_directions();
    machine_.refresh(set_.near, solution_.get());
    // The other odd modes, to and fro between the two vectors.
    machine_.clear(v_.get(), set_.slots.times(node_values));
    double const mu = space_.factors.odd;
    constexpr double left = sizeof(T) == sizeof(float) ? 1e-6 : 1e-14;
    int const uses =
        mu == 0 ? 0 : std::clamp(static_cast<int>(std::log(left) / std::log(std::abs(mu))), 2, 60);
    for (int k = 0; k < uses; ++k) {
      machine_.refresh(space_.near_values, v_.get());
      machine_.for_each(set_.slots, RelaxOther<T, Medium>{state(), mu, w_.get()});
      std::swap(v_, w_);
    }
    machine_.refresh(space_.near_values, v_.get());
    machine_.template sum_chunks<3>(
        set_.chunks,
        TakeTrueResidual<T, Medium>{state(), set_.parent.get(), space_.factors.inverse, axis_,
                                    w_.get()},
        space_.partial.get());
    if (space_.keeps_odd_halves)
      machine_.for_each(set_.slots, KeepOdd<T, Medium>{state(), odd_.get()});
    for (int k = 0; k < 3; ++k)
      machine_.template add_chunks<1>(1, nullptr, set_.chunks.count,
                                      space_.partial.get() + k * set_.chunks.count,
                                      KeepSums{sums_.get(), k});
    double sums[3];
    machine_.download(sums, sums_.get(), 3);
    base_ = sums[0] + sums[1];
    c.quadratic = velocity_sum(base_);
    c.linear = velocity_sum(sums[0]);
    c.force_balance = 1 - sums[2] / force_squared();
    Slices const slices = compare_slices(machine_, set_, axis_, solution_.get(),
                                         space_.mobility.get(), space_.is_grey(), c.linear);
    c.slice_spread = slices.spread;
    c.slice_excess = slices.excess;
    work_ += (uses + 2) * bytes_of_pass() + step_ * bytes_of_iteration();
    begin();
    Looked const looked = look();
    c.residual = first_norm_ > 0 ? looked.beta.front() / first_norm_ : 0;
    c.error = error_left(looked.beta.front(), c.quadratic, first_norm_, nodes());
    c.broken = looked.broken || !std::isfinite(base_);
    take_estimate();
    return c;
  }

  Uninitialised<StokesState> fields() override {
    put_state_together();
    Uninitialised<Four<T>> const of_slots = on_host(machine_, x_.get(), set_.slots);
    return at_nodes<StokesState>(machine_, set_, [&](std::size_t i) {
      Four<T> const& s = of_slots[i];
      return StokesState{double{s.s}, double{s.x}, double{s.y}, double{s.z}};
    });
  }

  StokesSums sums(Int3 lower, Int3 upper, double scale) override {
    put_state_together();
    return sum_states(machine_, set_, x_.get(), lower, upper, scale);
  }

  Uninitialised<StokesOddHalves> odd_halves() override {
    Uninitialised<T> const of_slots = on_host(machine_, odd_.get(), set_.slots.times(node_values));
    return at_nodes<StokesOddHalves>(machine_, set_, [&](std::size_t i) {
      StokesOddHalves odd;
      for (int k = 0; k < pairs; ++k) {
        auto const at = static_cast<std::size_t>(value_index(k + 1, static_cast<std::int64_t>(i)));
        odd[static_cast<std::size_t>(k)] = static_cast<float>(of_slots[at]);
      }
      return odd;
    });
  }

  void save(TakeBytes const& take) override {
    std::exception_ptr failed;  // the other processes send their pieces nevertheless
    auto const take_unless_failed = [&](std::span<std::byte const> piece) {
      try {
        if (!failed) take(piece);
      } catch (...) {
        failed = std::current_exception();
      }
    };
    visit_state([&]<class V>(V const* from, Indices const& indices) {
      Uninitialised<V> const own = on_host(machine_, from, indices);
      machine_.hand_over(std::as_bytes(std::span(own)), indices.shared, take_unless_failed);
    });
    Kept const kept{step_, before_, base_, first_norm_, work_, error_before_};
    machine_.hand_over(std::as_bytes(std::span(&kept, 1)), false, take_unless_failed);
    if (failed) std::rethrow_exception(failed);
  }

  std::size_t saved_bytes() override {
    std::size_t size = sizeof(Kept);
    visit_state([&]<class V>(V*, Indices const& indices) {
      size += static_cast<std::size_t>(indices.count) * sizeof(V);
    });
    return size;
  }

  bool restore(ReadBytes const& read) override {
    std::size_t at = 0;
    visit_state([&]<class V>(V* to, Indices const& indices) {
      Uninitialised<V> own(static_cast<std::size_t>(indices.own()));
      read(at + static_cast<std::size_t>(indices.begin) * sizeof(V),
           std::as_writable_bytes(std::span(own)));
      machine_.upload(to + indices.begin, own.data(), own.size());
      at += static_cast<std::size_t>(indices.count) * sizeof(V);
    });
    Kept kept{};
    read(at, std::as_writable_bytes(std::span(&kept, 1)));
    if (!is_possible(kept)) return false;
    step_ = kept.step;
    before_ = kept.before;
    base_ = kept.base;
    first_norm_ = kept.first_norm;
    work_ = kept.work;
    error_before_ = kept.error_before;
    refresh_vector();
    take_estimate();
    return true;
  }

 private:
  template <class V>
  using Array = typename Machine::template Array<V>;
  struct Looked {
    std::vector<double> alpha, beta;
    bool broken = false;
  };
  struct Kept {
    int step, before;
    double base, first_norm, work, error_before;
  };

  /// Whether what a checkpoint keeps beside the scalars is possible.
  bool is_possible(Kept const& kept) {
    constexpr int most_before = 1'000'000;
    LanczosScalars scalars{};
    machine_.download(&scalars, scalars_.get(), 1);
    return kept.step >= 0 && kept.step <= most_iterations && scalars.step == kept.step &&
           kept.before >= 0 && kept.before <= most_before && std::isfinite(kept.base) &&
           kept.first_norm >= 0 && std::isfinite(kept.first_norm) && kept.work >= 0 &&
           std::isfinite(kept.work) && kept.error_before >= 0;
  }

  template <class V>
  Array<V> array(std::size_t count) const {
    return machine_.template array<V>(count);
  }
  template <class V>
  Array<V> of_slots() const {
    return machine_.template array_of<V>(set_.slots, 0, {&set_.near});
  }
  Array<T> lanczos_vector() const {
    return machine_.template array_of<T>(set_.slots.times(node_values),
                                         static_cast<std::size_t>(set_.slots.count),
                                         {&space_.near_values});
  }
  /// <F,F>, the square of the force.
  double force_squared() const {
    double square = 0;
    for (int k = 0; k < pairs; ++k) square += force(k, axis_) * force(k, axis_);
    return square * nodes();
  }
  double nodes() const { return static_cast<double>(set_.nodes); }
  /// Sum of the velocities u = J - 1/2, from <F,g> = 3 sum J.
  double velocity_sum(double functional) const { return functional / 3 - 0.5 * nodes(); }
  Vectors<T> vectors() const {
    return {v_.get(), w_.get(), f_.get(), b_.get(), x_.get(), q_.get(), p_.get(), solution_.get()};
  }
  State<T, Medium> state() const { return {medium_, solution_.get(), v_.get()}; }
  FineMatrix<T, Medium> fine() const {
    return {medium_,
            space_.mobility.get(),
            space_.diagonal.get(),
            set_.chunk_part.get(),
            mean_.get(),
            b_.get(),
            x_.get()};
  }

  /// Begins the iteration; v_1 is in w_.
  void begin() {
    precondition(Lanczos::begin);
    std::swap(v_, w_);
    refresh_vector();
    step_ = 0;
    work_ += bytes_of_iteration();
  }

  void iteration() {
    machine_.template sum_chunks<1>(
        set_.chunks, ApplyOperator<T, Medium>{medium_, space_.factors, vectors(), scalars_.get()},
        space_.partial.get());
    machine_.template add_chunks<1>(1, nullptr, set_.chunks.count, space_.partial.get(),
                                    TakeAlpha{scalars_.get()});
    precondition(Lanczos::step);
  }

  void precondition(Lanczos what) {
    machine_.template sum_chunks<2>(set_.chunks,
                                    Orthogonalise<T>{set_.links(), space_.factors, vectors(),
                                                     space_.diagonal.get(), scalars_.get(), what},
                                    space_.partial.get());
    machine_.template add_chunks<1>(1, nullptr, set_.chunks.count, space_.partial.get(),
                                    TakeLocal{scalars_.get()});
    machine_.template add_chunks<1>(set_.parts, set_.part_chunks.get(), set_.chunks.count,
                                    space_.partial.get() + set_.chunks.count,
                                    TakeMeans{space_.part_nodes.get(), mean_.get()});
    multigrid_.correct(fine(), x_.get());
    machine_.template sum_chunks<1>(
        set_.chunks,
        FinishPreconditioner<T, Medium>{fine(), space_.factors, vectors(), set_.parent.get()},
        space_.partial.get());
    machine_.template add_chunks<1>(1, nullptr, set_.chunks.count, space_.partial.get(),
                                    TakeBeta{scalars_.get(), what});
  }

  /// The state in x_, which an iteration only needs while it lasts.
  void put_state_together() {
    DensityInTheEnd<T> const end{scalars_.get(), q_.get(), solution_.get()};
    machine_.template sum_chunks<1>(set_.chunks, end, space_.partial.get());
    machine_.template add_chunks<1>(set_.parts, set_.part_chunks.get(), set_.chunks.count,
                                    space_.partial.get(),
                                    TakeMeans{space_.part_nodes.get(), mean_.get()});
    machine_.for_each(set_.slots,
                      StateInTheEnd<T>{end, axis_, set_.chunk_part.get(), mean_.get(), x_.get()});
  }

  /// Halo exchange of v_j and H v_j, which the operator reads.
  void refresh_vector() { machine_.refresh(set_.near, f_.get(), space_.near_values, v_.get()); }

  void clear_directions() {
    machine_.clear(q_.get(), set_.slots);
    machine_.clear(p_.get(), set_.slots);
    before_ += step_;
  }

  Looked look() {
    LanczosScalars s{};
    machine_.download(&s, scalars_.get(), 1);
    auto const n = static_cast<std::ptrdiff_t>(s.step);
    return {{s.alpha, s.alpha + n}, {s.beta, s.beta + n + 1}, s.broken != 0};
  }

  void take_estimate() {
    constexpr std::size_t back = 6;
    Looked const looked = look();
    std::span<double const> const alpha(looked.alpha);
    std::span<double const> const beta(looked.beta);
    std::size_t const n = alpha.size();
    SmallEstimate const now = small_estimate(alpha, beta);
    double earlier = 0;
    if (n > back)
      earlier = small_estimate(alpha.first(n - back), beta.first(n - back + 1)).quadratic;
    StokesEstimate e;
    e.since_restart = static_cast<int>(n);
    e.iterations = before_ + e.since_restart;
    e.quadratic = velocity_sum(base_ + now.quadratic);
    e.linear = velocity_sum(base_ + now.linear);
    double const change =
        std::max(std::abs(now.quadratic - now.linear), std::abs(now.quadratic - earlier)) / 3;
    e.error_estimate =
        e.quadratic > 0 ? change / e.quadratic : std::numeric_limits<double>::infinity();
    e.residual = first_norm_ > 0 ? now.residual / first_norm_ : 1;
    // K and L stagnate together where only slow pressures are wrong; the residual shows that.
    if (e.quadratic > 0)
      e.error_estimate =
          std::max(e.error_estimate, error_left(now.residual, e.quadratic, first_norm_, nodes()));
    e.step_equivalents = (work_ + static_cast<double>(n) * bytes_of_iteration()) /
                         static_cast<double>(usual_step_bytes * set_.nodes);
    e.broken = looked.broken || !std::isfinite(now.quadratic);
    // Soon after a restart the functional has hardly changed, which is no sign of convergence.
    if (n <= back) e.error_estimate = std::max(e.error_estimate, error_before_);
    if (e.broken) e.error_estimate = std::numeric_limits<double>::infinity();
    estimate_ = e;
  }

  /// Bytes that the passes move: each array once, links three times.
  double bytes_of_iteration() const {
    double const node =
        216 + 6 * sizeof(T) * node_values + 13 * sizeof(Four<T>) + 2 * sizeof(Four<double>) + 28;
    return node * static_cast<double>(set_.slots.count) + multigrid_.bytes();
  }
  double bytes_of_pass() const {
    return (72 + 2 * sizeof(T) * node_values + sizeof(Four<double>)) *
           static_cast<double>(set_.slots.count);
  }

  template <class Visit>
  void visit_state(Visit visit) {
    Indices const& slots = set_.slots;
    visit(v_.get(), slots.times(node_values));
    visit(w_.get(), slots.times(node_values));
    visit(f_.get(), slots);
    visit(q_.get(), slots);
    visit(p_.get(), slots);
    visit(solution_.get(), slots);
    visit(scalars_.get(), Indices(1));
  }

  Space<Machine>& space_;
  Medium medium_;
  Machine& machine_;
  NodeSet<Machine, Equation::links> const& set_;
  int axis_ = 0;
  Multigrid<Equation, T, Machine> multigrid_;
  Array<T> v_, w_;
  Array<T> odd_;  ///< StokesOddHalves, in the places of odd halves; none unless they are kept
  Array<Four<T>> f_, b_, x_, q_, p_;
  Array<Four<double>> solution_;
  Array<LanczosScalars> scalars_;
  Array<double> mean_, sums_;
  typename Machine::Graphs graphs_;
  int step_ = 0;
  int before_ = 0;   ///< iterations before the last restart
  double base_ = 0;  ///< K of the state there
  double first_norm_ = 0;
  double error_before_ = 1;  ///< estimated before the last restart
  double work_ = 0;
  StokesEstimate estimate_;
};

template <class T, class Machine>
std::unique_ptr<StokesSolver> make_solver(Space<Machine>& space, Axis axis) {
  return std::make_unique<Solver<T, OpenPores, Machine>>(space, space.open_pores(), axis);
}
template <class Machine>
std::unique_ptr<StokesSolver> make_grey_solver(Space<Machine>& space, Axis axis) {
  return std::make_unique<Solver<float, GreyPores, Machine>>(space, space.grey_pores(), axis);
}

}  // namespace tessera::steady::stokes
