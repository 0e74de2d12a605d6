// SPDX-License-Identifier: MIT
// A case of a gas, run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "case/file/gas_case.hpp"
#include "case/flow_job.hpp"
#include "case/spectral/gas_run.hpp"

namespace tessera {

FlowIdentity identity_of(GasCase const& c, GasSetup const& setup);

class GasJob final : public FlowJob {
 public:
  /// As FlowJob(); the set-up must outlive the job, too.
  GasJob(GasCase const& c, GasSetup const& setup, std::filesystem::path folder,
         CheckpointPlan const& plan);

  Scene scene() const override;

  // After compute():
  GasOutcome const& outcome() const override { return outcome_; }
  bool is_complete() const override { return outcome_.end == RunEnd::all_steps; }
  std::string summary() const override;
  Losses& losses() override { return records_.losses(); }

 private:
  WorkerPlan choose_workers() const override;
  void run(Workers const& workers, ObserveFlow const& observe, RunControl const& control,
           Performance& performance) override;
  std::string why_diverged() const override;
  void write_own_records() override;
  Json files() const override;
  Json set_up_section() const override;
  Json end_section() const override;
  Json found_section() const override;
  Json performance_section() const override;

  double points_per_second() const;

  GasCase const& case_;
  GasSetup const& setup_;
  GasRecords records_;
  GasOutcome outcome_;
  std::int64_t bytes_ = 0;  ///< in use for the tiles of all ranks
};

}  // namespace tessera
