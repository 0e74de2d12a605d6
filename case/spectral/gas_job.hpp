// SPDX-License-Identifier: MIT
// A case of a gas and the folder that its results go to.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "case/file/gas_case.hpp"
#include "case/spectral/gas_run.hpp"
#include "io/json_fwd.hpp"
#include "io/results/results.hpp"
#include "run/checkpoint/checkpoints.hpp"

namespace tessera {

struct FlowIdentity;

FlowIdentity identity_of(GasCase const& c, GasSetup const& setup);

class GasJob {
 public:
  /// Reads the checkpoint to resume from, if there is one. The folder exists; case and set-up must
  /// outlive the job. Throws BadInput.
  GasJob(GasCase const& c, GasSetup const& setup, std::filesystem::path folder,
         CheckpointPlan const& checkpoints);

  /// All ranks: runs the case to its end. Throws BadInput for an impossible initial state.
  void compute(std::atomic<bool> const& stop, FlowWatch* watch,
               std::function<void(GasProgress const&)> const& observe);

  Checkpoints const& checkpoints() const { return checkpoints_; }

  // After compute():
  GasOutcome const& outcome() const { return outcome_; }
  GasRecords& records() { return records_; }
  GasRecords const& records() const { return records_; }
  double points_per_second() const;
  /// Content of results.json: the main results come first.
  Json results() const;
  /// Writes tables, the fields of the last step. Files that cannot be written are reported.
  void write_records();

 private:
  Json performance() const;

  GasCase const& case_;
  GasSetup const& setup_;
  RunResult run_;
  std::filesystem::path folder_;
  Checkpoints checkpoints_;
  GasRecords records_;
  GasOutcome outcome_;
  struct {
    double prepare_seconds = 0;
    // Sums over all ranks:
    std::int64_t tiles = 0;
    std::int64_t bytes = 0;
    std::vector<WorkerResult> workers;
  } performance_;
};

}  // namespace tessera
