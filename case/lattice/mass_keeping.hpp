// SPDX-License-Identifier: MIT
// The mass of a flow that nothing opens. It should stay; but interpolated walls and those on nodes
// make or take a little in each step, and so does a lid that is not as fast at its one end as at
// the other (docs/method.md). That goes on for ever, and velocities follow the density.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "case/file/case.hpp"
#include "io/checkpoint/saved_values.hpp"
#include "io/json_fwd.hpp"
#include "methods/lattice/flow_graph.hpp"

namespace tessera {

/// Whether there are but walls, slip and periodic axes.
bool is_closed(Case const& c);

/// Gives back what walls take: by the links of all that may move, as much in each step, and from
/// check to check as much as holds the mass that was there at first. A flow whose mean density
/// stays within 1e-5 gets nothing, and keeps its bits.
class MassKeeping {
 public:
  /// `first`: of the state that the flow begins with.
  MassKeeping(Measurement const& first, WallTotals const& walls, Precision precision);

  /// Whether walls may take any, and there is where to give it back.
  bool can_supply() const { return can_supply_; }
  /// What enters along each of their links, over its weight, from now on; to be asked for every so
  /// many steps.
  double supply_after(Measurement const& measurement, std::int64_t steps_to_next);
  double supply() const { return supply_; }

  /// What has been given in all, up to a step.
  double given(std::int64_t step) const;
  /// If a later state has another mass than the first one.
  std::optional<std::string> warning(double mass) const;

  void save(Json& run) const;
  void restore(SavedValues const& saved);

 private:
  static bool can_supply(WallTotals const& walls, Precision precision);

  double first_mass_;   ///< of all nodes
  double first_shift_;  ///< the same less 1 a node
  double nodes_;
  double weight_;  ///< of all links that a supply enters by
  bool can_supply_;
  bool has_begun_ = false;  ///< to give
  double supply_ = 0;
  // At the last check:
  std::int64_t step_;
  double gain_ = 0;
  double given_ = 0;
};

}  // namespace tessera
