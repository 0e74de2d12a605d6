// SPDX-License-Identifier: MIT
// The records of a run of a gas: totals, errors, probes, fields.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "case/case_table.hpp"
#include "case/file/gas_case.hpp"
#include "case/spectral/gas_fields.hpp"
#include "case/spectral/gas_probe.hpp"
#include "case/spectral/gas_setup.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/saved_values.hpp"
#include "run/losses.hpp"

namespace tessera {

class GasRecords {
 public:
  /// Case and set-up must outlive it. Throws BadInput for a probe that is in no element.
  GasRecords(GasCase const& c, GasSetup const& setup, std::filesystem::path folder);

  /// The next step after this one at which a measurement, or the state, is due; a large number if
  /// there is none.
  std::int64_t next_measurement_after(std::int64_t step) const;
  std::int64_t next_state_after(std::int64_t step) const;

  /// Writes a row of totals and of errors.
  void add_measurement(std::int64_t step, spectral::GasMeasurement const& measured);
  /// Rank 0 records what is due at the step. Fields are written at once.
  void add_state(std::int64_t step, double time, GasState const& state);
  /// Rank 0 makes all records of the last step, except for its fields: write().
  void add_last_state(std::int64_t step, double time, GasState const& state);
  /// Writes the requested fields of a step.
  void add_fields(std::int64_t step, GasState const& state);
  /// Writes the tables, and the fields of the last step, if there is one.
  void write(GasState const* last_state);

  Losses& losses() { return losses_; }

  /// What a later run needs.
  Json save(CheckpointWriter& writer) const;
  /// Restores records up to a step. Throws BadInput.
  void restore(CheckpointReader const& checkpoint, SavedValues const& saved, std::int64_t step);

 private:
  void put_state(std::int64_t step, double time, GasState const& state, bool last);
  std::vector<Table const*> tables() const;
  void write_fields(std::string const& name, GasState const& state);

  GasCase const& case_;
  GasSetup const& setup_;
  std::filesystem::path folder_;
  std::optional<GasFields> fields_;  ///< once some have been written
  Table totals_;
  Table errors_;
  std::vector<Table> probes_;
  std::vector<PlaceInMesh> places_;
  Losses losses_;
};

/// Roots of mean squares, and the largest, of the differences from the exact flow.
struct GasErrors {
  struct Norms {
    double l2 = 0;
    double largest = 0;
  };
  Norms density, velocity, pressure;
};
GasErrors errors_of(spectral::GasMeasurement const& measured);

}  // namespace tessera
