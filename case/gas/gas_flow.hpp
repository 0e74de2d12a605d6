// SPDX-License-Identifier: MIT
// A gas that steps in time, as a RunningFlow; who computes it, and on what tiles, is not to be
// seen.
#pragma once

#include <optional>

#include "case/gas/gas_setup.hpp"
#include "case/gas/gas_state.hpp"
#include "elements/bare_loop.hpp"
#include "run/running_flow.hpp"

namespace tessera {

/// How long the steps are.
class GasClock {
 public:
  explicit GasClock(GasCase const& c) : time_(c.time), end_(c.stop.time) {}

  double now() const { return now_; }
  bool at_end() const { return end_ && now_ >= *end_; }
  /// The next step; `stable(sigma)`: of the state that it begins with. The last one ends where it
  /// is to end.
  template <class Stable>
  double next(Stable const& stable);
  void took(double dt) { now_ = last_ ? *end_ : now_ + dt; }

  /// For checkpoints.
  std::optional<double> pending() const { return stable_before_; }
  void restore(double now, std::optional<double> pending) {
    now_ = now;
    stable_before_ = pending;
  }

 private:
  GasCase::Time time_;
  std::optional<double> end_;
  double now_ = 0;
  bool last_ = false;                    ///< the step that is being taken
  std::optional<double> stable_before_;  ///< of the state a step before
};

template <class Stable>
double GasClock::next(Stable const& stable) {
  double dt = 0;
  if (time_.dt) {
    dt = *time_.dt;
  } else {
    double const of_this = stable(time_.cfl);
    dt = time_.exact ? of_this : stable_before_.value_or(of_this);
    stable_before_ = of_this;
  }
  // A rest that is nothing but rounding is no step of its own.
  constexpr double rounding = 1e-9;
  last_ = end_ && now_ + dt * (1 + rounding) >= *end_;
  return last_ ? *end_ - now_ : dt;
}

class GasFlow : public RunningFlow {
 public:
  /// After the last submitted step, which it waits for.
  virtual double time() const = 0;
  /// Whether that is the end.
  virtual bool at_end() const = 0;
  virtual void take_state(GasState& state) const = 0;
  /// For checkpoints, beside the states of packs.
  virtual Json save_clock() const = 0;
  virtual void restore_clock(double now, std::optional<double> pending) = 0;

  // Frames of voxels are no frames of elements.
  void submit_snapshots(std::size_t /*set*/) override {}
  void visit_snapshots(std::size_t /*set*/, VisitNode const& /*visit*/) override {}
};

/// In a plain loop, by this thread.
template <class N>
class PlainGasFlow : public GasFlow {
 public:
  /// They must outlive it.
  PlainGasFlow(GasCase const& c, GasSetup const& setup);

  std::int64_t steps() const override { return steps_; }
  void submit_steps(std::int64_t count) override;
  void wait() override {}
  std::int64_t nodes() const override { return loop_.points(); }
  SavedSize saved_size() const override;
  void save(CheckpointWriter* writer) override;
  void restore(std::int64_t step, CheckpointReader const& reader) override;

  double time() const override { return clock_.now(); }
  bool at_end() const override { return clock_.at_end(); }
  void take_state(GasState& state) const override;
  Json save_clock() const override;
  void restore_clock(double now, std::optional<double> pending) override {
    clock_.restore(now, pending);
  }

 private:
  std::size_t numbers_of(std::int32_t pack) const;

  GasSetup const& setup_;
  spectral::BareLoop<N> loop_;
  GasClock clock_;
  std::int64_t steps_ = 0;
};

extern template class PlainGasFlow<double>;
extern template class PlainGasFlow<float>;

}  // namespace tessera
