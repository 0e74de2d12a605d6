// SPDX-License-Identifier: MIT
// A case and the folder that its results go to.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>

#include "case/file/case.hpp"
#include "case/lattice/case_records.hpp"
#include "case/lattice/case_run.hpp"
#include "case/lattice/case_setup.hpp"
#include "io/json_fwd.hpp"
#include "run/checkpoint/checkpoints.hpp"
#include "run/flow_watch.hpp"

namespace tessera {

/// Throws BadInput where this machine lacks what the case requires.
void check_machine(Case const& c);

/// When checkpoints are written: as the case says, except for `minutes`, if given.
CheckpointPlan checkpoint_plan(Case const& c, std::optional<double> minutes, bool resume);

class CaseJob {
 public:
  /// Reads the checkpoint to resume from, if there is one. The folder exists; case and set-up must
  /// outlive the job. Throws BadInput.
  CaseJob(Case const& c, CaseSetup const& setup, std::filesystem::path folder,
          CheckpointPlan const& checkpoints);

  Checkpoints& checkpoints() { return checkpoints_; }
  /// Runs the flow to its end. `watch` may be null.
  void compute(std::atomic<bool> const& stop, FlowWatch* watch, ObserveCase const& observe);

  // After compute():
  CaseOutcome const& outcome() const { return outcome_; }
  CaseRecords& records() { return *records_; }
  CaseRecords const& records() const { return *records_; }
  /// Content of results.json: the main results come first.
  Json results() const;
  /// Writes tables, means, the fields of the last step. Files that cannot be written are reported.
  void write_records();

 private:
  Case const& case_;
  CaseSetup const& setup_;
  RunResult run_;
  std::filesystem::path folder_;
  Checkpoints checkpoints_;
  std::optional<CaseRecords> records_;
  CaseOutcome outcome_;
};

}  // namespace tessera
