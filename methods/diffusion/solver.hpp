// SPDX-License-Identifier: MIT
// The solver of one axis, for a machine: the passes of methods/diffusion/passes.hpp in their order.
//
// With the coefficients alpha and beta comes Lanczos' tridiagonal of H A, whose least eigenvalue
// bounds what K is off: <r, A^-1 r> <= <r, H r> / least.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "methods/diffusion/diffusion.hpp"
#include "methods/diffusion/least_eigenvalue.hpp"
#include "methods/diffusion/passes.hpp"
#include "methods/steady/hierarchy.hpp"
#include "methods/steady/multigrid.hpp"
#include "methods/steady/voxels.hpp"

namespace tessera::steady::diffusion {

/// A conductor on a machine.
template <class Machine>
struct Space {
  template <class T>
  using Array = typename Machine::template Array<T>;
  Machine machine;
  NodeSet<Machine, Equation::links> set;
  Array<double> exact;        ///< conductivities, for the energy and the residual in double
  Array<float> conductivity;  ///< rounded, for the iteration; 1 in holes
  Array<float> diagonal, wall;
  Array<double> partial;  ///< 2 sums of each chunk
  Array<double> inverse_nodes;
  Hierarchy<Machine, Equation> hierarchy;
  std::optional<Axis> open;
  std::array<double, 3> edges{1, 1, 1};  ///< of voxels, over the shortest
  double least = 1;                      ///< conductivity of a voxel that conducts
  double largest = 1;
  double volume = 1;  ///< voxels of the sample, which the energy is over

  Edges links() const {
    Edges all{set.links(), conductivity.get()};
    for (std::size_t a = 0; a < 3; ++a)
      all.factor[a] = static_cast<float>(1 / (edges[a] * edges[a]));
    return all;
  }
};

template <class Machine>
class Solver final : public DiffusionSolver {
 public:
  Solver(Space<Machine>& space, Axis axis)
      : space_(space),
        machine_(space.machine),
        set_(space.set),
        axis_(static_cast<int>(index_of(axis))),
        multigrid_(machine_, set_, space.hierarchy),
        state_(of_slots<double>()),
        r_(of_slots<float>()),
        x_(of_slots<float>()),
        z_(of_slots<float>()),
        p_(of_slots<float>()),
        t_(of_slots<float>()),
        scalars_(machine_.template array<Scalars>(1)),
        mean_(machine_.template array<double>(static_cast<std::size_t>(set_.parts))),
        sum_(machine_.template array<double>(1)) {
    begin();
    first_square_ = scalars().square[0];  // NOLINT: once it has begun
    take_estimate();
  }

  DiffusionEstimate iterate(int count) override {
    for (int k = 0; k < count && !estimate_.broken; ++k) {
      if (step_ == most_iterations || is_worn_) confirm();
      machine_.repeat(graphs_, 0, [this] { iteration(); });
      ++step_;
    }
    take_estimate();
    return estimate_;
  }

  DiffusionEstimate confirm() override {
    before_ += step_;
    begin();
    take_estimate();
    return estimate_;
  }

  Uninitialised<DiffusionState> fields() override {
    auto fluxes = machine_.template array_of<Four<float>>(set_.slots, 0, {&set_.near});
    machine_.refresh(set_.near, state_.get());
    TakeFluxes pass{.drops = drops(), .to = fluxes.get()};
    for (std::size_t a = 0; a < 3; ++a) pass.scale[a] = own_edge() * space_.edges[a];
    machine_.for_each(set_.slots, pass);
    Uninitialised<Four<float>> const of_slots = on_host(machine_, fluxes.get(), set_.slots);
    return at_nodes<DiffusionState>(machine_, set_, [&](std::size_t i) {
      Four<float> const& f = of_slots[i];
      return DiffusionState{f.s, f.x, f.y, f.z};
    });
  }

 private:
  template <class T>
  using Array = typename Machine::template Array<T>;
  template <class T>
  Array<T> of_slots() const {
    return machine_.template array_of<T>(set_.slots, 0, {&set_.near});
  }
  Vectors vectors() const {
    return {state_.get(), r_.get(), x_.get(), z_.get(), p_.get(), t_.get()};
  }
  FineMatrix fine() const {
    return {space_.links(),    space_.diagonal.get(),
            space_.wall.get(), set_.chunk_part.get(),
            mean_.get(),       r_.get(),
            x_.get()};
  }
  Drops drops() const {
    Drops all{set_.links(), space_.exact.get(), state_.get(), axis_};
    for (std::size_t a = 0; a < 3; ++a) all.factor[a] = 1 / (space_.edges[a] * space_.edges[a]);
    return all;
  }
  Scalars scalars() {
    Scalars host{};
    machine_.download(&host, scalars_.get(), 1);
    return host;
  }

  /// A voxel's edge along the axis, over the shortest one.
  double own_edge() const { return space_.edges[static_cast<std::size_t>(axis_)]; }

  /// Begins with the residual and the energy of the state.
  void begin() {
    machine_.refresh(set_.near, state_.get());
    machine_.template sum_chunks<2>(
        set_.chunks, TakeResidual{drops(), vectors(), space_.diagonal.get()}, space_.partial.get());
    machine_.template add_chunks<1>(1, nullptr, set_.chunks.count, space_.partial.get(),
                                    KeepSums{sum_.get()});
    machine_.download(&energy_, sum_.get(), 1);
    take_means(space_.partial.get() + set_.chunks.count);
    precondition(true);
    step_ = 0;
  }
  void iteration() {
    machine_.template sum_chunks<1>(set_.chunks, ApplyMatrix{fine(), vectors()},
                                    space_.partial.get());
    machine_.template add_chunks<1>(1, nullptr, set_.chunks.count, space_.partial.get(),
                                    TakeProduct{scalars_.get()});
    machine_.template sum_chunks<1>(set_.chunks,
                                    MoveState{vectors(), space_.diagonal.get(), scalars_.get()},
                                    space_.partial.get());
    take_means(space_.partial.get());
    precondition(false);
  }
  void take_means(double const* partial) {
    machine_.template add_chunks<1>(set_.parts, set_.part_chunks.get(), set_.chunks.count, partial,
                                    TakeMeans{space_.inverse_nodes.get(), mean_.get()});
  }
  void precondition(bool begins) {
    multigrid_.correct(fine(), x_.get());
    machine_.template sum_chunks<1>(set_.chunks, FinishCycle{fine(), vectors(), set_.parent.get()},
                                    space_.partial.get());
    machine_.template add_chunks<1>(1, nullptr, set_.chunks.count, space_.partial.get(),
                                    TakeSquare{scalars_.get(), begins});
    machine_.for_each(set_.slots, TurnDirection{vectors(), scalars_.get()});
    machine_.refresh(set_.near, p_.get());
  }

  void take_estimate() {
    Scalars const s = scalars();
    auto const n = static_cast<std::size_t>(s.step);
    double energy = energy_;
    for (std::size_t k = 0; k < n; ++k)
      energy -= s.product[k] > 0 ? s.square[k] * s.square[k] / s.product[k] : 0;
    least_ = std::min(least_, least_eigenvalue({s.product, n}, {s.square, n + 1}));
    constexpr double safety = 3;  // the least eigenvalue is not found at once
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
    double const least_square = *std::ranges::min_element(s.square, s.square + n + 1);
    is_worn_ = s.square[n] < 1e-10 * s.square[0] || s.square[n] > 1e3 * least_square;
    DiffusionEstimate e;
    e.since_restart = s.step;
    e.iterations = before_ + s.step;
    e.conductivity = own_edge() * own_edge() * energy / space_.volume;
    e.residual = first_square_ > 0 ? std::sqrt(s.square[n] / first_square_) : 0;
    e.error_estimate = safety * s.square[n] / (least_ * energy) + rounding;
    e.broken = s.broken != 0 || !std::isfinite(energy) || !(energy > 0);
    if (e.broken) e.error_estimate = std::numeric_limits<double>::infinity();
    estimate_ = e;
  }

  Space<Machine>& space_;
  Machine& machine_;
  NodeSet<Machine, Equation::links> const& set_;
  int axis_ = 0;
  Multigrid<Equation, float, Machine> multigrid_;
  Array<double> state_;
  Array<float> r_, x_, z_, p_, t_;
  Array<Scalars> scalars_;
  Array<double> mean_, sum_;
  typename Machine::Graphs graphs_;
  int step_ = 0;
  int before_ = 0;     ///< iterations before the last restart
  double energy_ = 0;  ///< of the state there
  double first_square_ = 0;
  double least_ = 1;  ///< eigenvalue of H A that was found
  /// The vectors have lost their orthogonality: in single precision the residual falls no further,
  /// and rises again where conductivities differ by many orders of magnitude.
  bool is_worn_ = false;
  DiffusionEstimate estimate_;
};

}  // namespace tessera::steady::diffusion
