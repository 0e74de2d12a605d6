// SPDX-License-Identifier: MIT
// Whether to repartition the lattice, where moving whole tiles does not balance the domains:
// because a domain's tiles are too large for another, or too few. Numbers in, shares out: no StarPU
// here.
//
// Repartitioning stops the flow for as long as all populations take through main memory. It is done
// if several looks in a row have found a gain, which repays it within as many steps as the flow has
// taken so far: how many will follow is not known, and so a cut never costs more than a small part
// of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/balance/balance.hpp"

namespace tessera {

struct NewCutRules {
  double least_gain = 0.05;          ///< of an ideal step's time
  int looks = 5;                     ///< in a row that must agree; with each cut twice as many
  double least_horizon = 500;        ///< steps that a cut may count on, however young the flow
  double lattice_bytes_per_s = 1e9;  ///< out and in again, until a cut has been measured
};

/// Seconds of a step whose work is shared by the speeds: no domain waits. On a GPU as many tiles as
/// there are now take their least time each.
double ideal_step_seconds(std::vector<DomainLoad> const& loads);

/// Whether a new cut shortens a step by more than noise and is repaid. `horizon`: steps that it
/// serves.
bool worth_cutting_anew(std::vector<DomainLoad> const& loads, double cut_seconds, double horizon,
                        NewCutRules const& rules = {});

/// Main memory, in bytes, that a new cut takes in addition, at most: a copy of the state before,
/// `held`; one of the state after, `coming`, which differs where several processes cut; and the new
/// tiles, as the tiles of GPUs wait for the bus. `in_main_memory`: what the old tiles take there,
/// which is freed on the way.
double bytes_for_cut(double held, double coming, double in_main_memory);

/// Remembers several looks, because single ones may be wrong.
class NewCutWatch {
 public:
  explicit NewCutWatch(NewCutRules const& rules = {}) : rules_(rules) {}

  /// After the best moves of whole tiles. Returns the shares of the domains, of all processes,
  /// which sum to 1, if it is time for a new cut, else nothing.
  std::vector<double> look(std::int64_t step, std::vector<DomainLoad> const& loads);
  /// A cut has been made and took so long.
  void note_cut(double seconds);
  /// What a cut is expected to take, for so many bytes of populations.
  double cut_seconds(double bytes) const;

 private:
  NewCutRules rules_;
  int looks_ = 0;                      ///< in a row that found a gain
  std::vector<double> sum_of_shares_;  ///< over these looks, by the speeds seen
  double last_cut_s_ = 0;              ///< 0: none yet
};

}  // namespace tessera
