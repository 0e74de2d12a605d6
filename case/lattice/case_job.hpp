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

/// Throws BadInput where this machine has not what the case asks for.
void check_machine(Case const& c);

/// When checkpoints are written: as the case says, but for the minutes, if somebody says others.
CheckpointPlan checkpoint_plan(Case const& c, std::optional<double> minutes, bool resume);

class CaseJob {
 public:
  /// Reads the checkpoint to go on from, if there is one. The folder is there; case and set-up must
  /// outlive it. Throws BadInput.
  CaseJob(Case const& c, CaseSetup const& setup, std::filesystem::path folder,
          CheckpointPlan const& checkpoints);

  Checkpoints& checkpoints() { return checkpoints_; }
  /// Runs the flow to its end. `watch` may be null.
  void compute(std::atomic<bool> const& stop, FlowWatch* watch, ObserveCase const& observe);

  // After that:
  CaseOutcome const& outcome() const { return outcome_; }
  CaseRecords& records() { return *records_; }
  CaseRecords const& records() const { return *records_; }
  /// Of results.json: the answer comes first.
  Json results() const;
  /// Tables, means, the fields of the last step. What cannot be written is said.
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
