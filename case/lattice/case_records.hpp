// SPDX-License-Identifier: MIT
// The records of a run of a case: probes, lines, forces, fields, means. In SI where the case is,
// otherwise in lattice units.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "case/case_table.hpp"
#include "case/file/case.hpp"
#include "case/lattice/case_averages.hpp"
#include "case/lattice/case_figures.hpp"
#include "case/lattice/case_setup.hpp"
#include "codelets/lattice/measure.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/saved_values.hpp"
#include "run/checkpoint/spread_arrays.hpp"
#include "run/fields/field_units.hpp"
#include "run/fields/flow_state.hpp"
#include "run/losses.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

class CaseRecords {
 public:
  CaseRecords(Case const& c, CaseSetup const& setup, std::filesystem::path folder);

  /// The next step after this one at which the state, or the force, is due; a large number if there
  /// is none.
  std::int64_t next_state_after(std::int64_t step) const;
  std::int64_t next_force_after(std::int64_t step) const;

  /// Whether the state before the first step is recorded.
  bool wants_begin() const;

  /// All ranks: records what is due at the step. Fields are written at once.
  void add_state(std::int64_t step, FlowState const& state);
  /// All ranks: records what is due after the last step, except for its fields:
  /// write_last_fields().
  void add_last_state(std::int64_t step, FlowState const& state);
  void add_forces(Measurement const& measurement, bool last);
  void set_last_figures(FlowFigures figures) { last_figures_ = std::move(figures); }
  // All ranks write fields and means together.
  /// Writes fields that are not due, but requested.
  void write_fields_now(std::int64_t step, FlowState const& state);
  /// Writes the fields of the last step, if the case has them.
  void write_last_fields(std::int64_t step, FlowState const& state);

  /// Writes all tables, and the means.
  void write();

  /// Files that could not be written.
  Losses& losses() { return losses_; }

  /// What a later run needs: tables, means, the last forces.
  Json save(CheckpointWriter& writer) const;
  /// The distributed arrays that a later run needs.
  std::vector<SpreadArray> spread_arrays() const;
  /// All ranks: restores records with the same names, columns and places up to a step; the others
  /// begin again. Throws BadInput.
  void restore(CheckpointReader const& checkpoint, SavedValues const& saved, std::int64_t step);
  /// Keeps the records of a flow with other parameters, which ended at this step: writes its tables
  /// as NAME-until-STEP, and renames its file of means accordingly, if there is one. Throws
  /// BadInput.
  void keep_apart(CheckpointReader const& checkpoint, SavedValues const& saved,
                  std::int64_t step) const;

  /// The force of the last measurement, in lattice units, for each of output.forces.
  std::vector<std::array<double, 3>> const& last_forces() const { return last_forces_; }
  /// The torque of the last measurement about the point of each of output.forces, in lattice units;
  /// 0 without a point.
  std::vector<std::array<double, 3>> const& last_torques() const { return last_torques_; }
  /// Figures of the last state, in lattice units; none if there was no last state.
  std::optional<FlowFigures> const& last_figures() const { return last_figures_; }
  /// Frequency times length over speed, for each of output.strouhal; none if there are fewer than
  /// two periods.
  std::vector<std::optional<double>> strouhal_numbers() const;

 private:
  void put_state(std::int64_t step, FlowState const& state, bool last);
  /// The place of each table, by its name: values of another place are not continued.
  Json places() const;
  /// A row: `first`, then the values at a place.
  std::vector<double> row_at(std::vector<double> first,
                             std::optional<NodeState> const& state) const;
  /// The name of a file of fields, with the ending of the case's format.
  std::string with_ending(std::string const& name) const;
  /// Writes fields; `name`: without the ending for the format.
  void write_fields(std::string const& name, FlowState const& state);
  void write_state(std::filesystem::path const& file, FlowState const& state) const;
  double time_of(std::int64_t step) const;
  /// Density, pressure and velocity, as tables have them.
  std::array<double, 5> values_of(NodeState const& state) const;

  Case const& case_;
  SpreadGeometry const& geometry_;
  std::filesystem::path folder_;
  FieldUnits units_;
  std::vector<std::size_t> condition_of_force_;
  std::vector<Table> probes_;
  std::vector<Table> lines_;
  std::vector<Table> forces_;
  std::vector<std::array<double, 3>> last_forces_;
  std::vector<std::array<double, 3>> last_torques_;
  std::optional<FlowFigures> last_figures_;
  std::optional<CaseAverages> averages_;
  Losses losses_;
};

/// Coefficients of three forces, F / (rho U^2 A / 2) with density 1, if the case gives speed and
/// area.
std::optional<std::array<double, 3>> coefficients(Case::ForceOutput const& output,
                                                  std::array<double, 3> const& force);

}  // namespace tessera
