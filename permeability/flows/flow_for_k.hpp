// SPDX-License-Identifier: MIT
// The permeability of an image along an axis by the Krylov solver, for those who want nothing else
// of it: no files, no fields, no looks.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "geometry/geometry.hpp"
#include "permeability/permeability_case.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

struct ImageAnswer {
  double porosity = 0;
  double percolating_porosity = 0;
  double k_lattice = 0;       ///< voxels squared; 0 where nothing leads through
  double error_estimate = 0;  ///< of the solver, relative
  std::int64_t iterations = 0;
  bool leads_through = false;
  std::string failure;  ///< why there is no answer; empty: there is one

  bool answered() const { return failure.empty(); }
  /// "converged", "closed" where nothing leads through, or "no answer".
  char const* state() const;
  std::optional<double> permeability() const {
    return answered() ? std::optional(k_lattice) : std::nullopt;
  }
};

/// A flow in two parts, which may run on two threads, one after the other.
class FlowForK {
 public:
  /// `asked` must be what the solver solves for (why_not_solved_for()), without fields, and outlive
  /// the flow.
  FlowForK(Axis axis, PermeabilityCase const& asked) : axis_(axis), asked_(asked) {}

  /// Finds what leads through the image, and the box of the flow.
  void prepare(Geometry const& image);
  /// Nodes of the box, once it is prepared; 0 where nothing leads through.
  std::int64_t nodes() const { return box_ ? box_->nodes : 0; }
  /// The calling thread solves, by these workers. Once `stop` is
  /// set it ends without an answer. Throws EnvironmentError where memory does not suffice.
  void solve(Workers const& workers, std::atomic<bool> const& stop);
  /// In the end.
  ImageAnswer const& answer() const { return answer_; }

 private:
  Axis axis_;
  PermeabilityCase const& asked_;
  std::optional<PreparedBox> box_;
  ImageAnswer answer_;
};

}  // namespace tessera
