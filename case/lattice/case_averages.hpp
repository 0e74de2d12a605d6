// SPDX-License-Identifier: MIT
// Means over time of a case's flow, on all voxels; each of several processes adds up its layers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "case/file/case.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/saved_values.hpp"
#include "run/checkpoint/spread_arrays.hpp"
#include "run/fields/flow_state.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

class CaseAverages {
 public:
  CaseAverages(Case::Averages const& asked, SpreadGeometry const& geometry);

  std::int64_t next_after(std::int64_t step) const;
  /// Adds a state, if its step is due; each step is added once.
  void add(std::int64_t step, FlowState const& state);
  std::int64_t states() const { return states_; }

  /// What a later run needs, without the sums.
  Json save() const;
  /// The sums, which are distributed over the ranks, for a later run.
  std::vector<SpreadArray> sums() const;
  /// All ranks: restores the sums up to a step; means of other quantities or other steps begin
  /// again. Throws BadInput.
  void restore(CheckpointReader const& checkpoint, SavedValues const& saved, std::int64_t step);

  /// All ranks: writes the means for ParaView, in SI where the case is. Throws EnvironmentError on
  /// rank 0.
  void write(std::filesystem::path const& path, CaseUnits const& units) const;

 private:
  /// The steps and quantities of the means.
  Json described() const;

  Case::Averages asked_;
  SpreadGeometry const& geometry_;
  std::int64_t states_ = 0;
  std::int64_t last_ = -1;
  // Sums on the own layers:
  std::vector<double> density_;   ///< sums of the shifts
  std::vector<double> velocity_;  ///< sums, three components
  std::vector<double> products_;  ///< sums of the products xx, yy, zz, xy, xz, yz
};

}  // namespace tessera
