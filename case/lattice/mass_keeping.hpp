// SPDX-License-Identifier: MIT
// The mass of a closed flow. It should be constant; but interpolated walls and walls on nodes make
// or take a little in each step, and so does a lid that is not as fast at its one end as at the
// other (docs/method.md). The drift does not stop, and velocities follow the density.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "case/file/case.hpp"
#include "io/checkpoint/saved_values.hpp"
#include "io/json_fwd.hpp"
#include "methods/lattice/flow_graph.hpp"

namespace tessera {

/// Whether a case has only walls, slip and periodic axes.
bool is_closed(Case const& c);

/// Returns the mass that walls take: along the links of all walls that may move, equally in each
/// step, and from check to check as much as keeps the initial mass. A flow whose mean density stays
/// within 1e-5 gets none, and keeps its bits.
class MassKeeping {
 public:
  /// `first`: measurement of the initial state.
  MassKeeping(Measurement const& first, WallTotals const& walls, Precision precision);

  /// Whether walls may take mass, and there are links to return it along.
  bool can_supply() const { return can_supply_; }
  /// The mass that enters along each of these links from now on, over the link's weight; to be
  /// called after each check. `steps_to_next`: steps until the next check.
  double supply_after(Measurement const& measurement, std::int64_t steps_to_next);
  double supply() const { return supply_; }

  /// Mass that has been supplied in all, up to a step.
  double given(std::int64_t step) const;
  /// A warning if a later state has another mass than the first one.
  std::optional<std::string> warning(double mass) const;

  void save(Json& run) const;
  void restore(SavedValues const& saved);

 private:
  static bool can_supply(WallTotals const& walls, Precision precision);

  double first_mass_;   ///< of all nodes
  double first_shift_;  ///< mass of all nodes less 1 a node
  double nodes_;
  double weight_;  ///< of all links along which a supply enters
  bool can_supply_;
  bool has_begun_ = false;  ///< to supply
  double supply_ = 0;
  // At the last check:
  std::int64_t step_;
  double gain_ = 0;
  double given_ = 0;
};

}  // namespace tessera
