// SPDX-License-Identifier: MIT
// One number asked of an image along an axis, and how it is found: no files, no fields, no looks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "geometry/geometry.hpp"
#include "permeability/permeability_case.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

struct ImageAnswer {
  double porosity = 0;  ///< of open pores, or the share of what conducts
  double percolating_porosity = 0;
  /// k in voxels squared, or the effective conductivity; 0 where nothing leads through.
  double value = 0;
  double error_estimate = 0;  ///< of the solver, relative
  std::int64_t iterations = 0;
  bool leads_through = false;
  std::string failure;  ///< why there is no answer; empty: there is one

  bool answered() const { return failure.empty(); }
  /// "converged", "closed" where nothing leads through, or "no answer".
  char const* state() const;
  std::optional<double> if_answered() const {
    return answered() ? std::optional(value) : std::nullopt;
  }
};

/// A steady flow in two parts, which may run on two threads, one after the other.
class FlowToAnswer {
 public:
  FlowToAnswer() = default;
  virtual ~FlowToAnswer() = default;
  FlowToAnswer(FlowToAnswer const&) = delete;
  FlowToAnswer& operator=(FlowToAnswer const&) = delete;

  /// Finds what leads through the image, and the box of the flow.
  virtual void prepare(Geometry image) = 0;
  /// Nodes of the box, once it is prepared; 0 where nothing leads through.
  virtual std::int64_t nodes() const = 0;
  /// The calling thread solves, by these workers. Once `stop` is set it ends without an answer.
  /// Throws EnvironmentError where memory does not suffice.
  virtual void solve(Workers const& workers, std::atomic<bool> const& stop) = 0;
  /// In the end.
  ImageAnswer const& answer() const { return answer_; }

 protected:
  ImageAnswer answer_;
};

/// The permeability, by the Krylov solver. `asked` must be what it solves for
/// (why_not_solved_for()), without fields, and outlive the flow.
std::unique_ptr<FlowToAnswer> flow_for_k(Axis axis, PermeabilityCase const& asked);

/// The effective conductivity between two ends, other sides sealed: pores conduct 1, grey voxels
/// what Geometry::of_grey says. Takes only the tolerance of `asked`.
std::unique_ptr<FlowToAnswer> flow_for_conductivity(Axis axis, PermeabilityCase const& asked);

}  // namespace tessera
