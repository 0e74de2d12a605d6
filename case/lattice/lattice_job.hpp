// SPDX-License-Identifier: MIT
// A case of the lattice Boltzmann method, run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "case/file/case.hpp"
#include "case/flow_job.hpp"
#include "case/lattice/case_records.hpp"
#include "case/lattice/case_run.hpp"
#include "case/lattice/case_setup.hpp"

namespace tessera {

class LatticeJob final : public FlowJob {
 public:
  /// As FlowJob(); the set-up must outlive the job, too.
  LatticeJob(Case const& c, CaseSetup const& setup, std::filesystem::path folder,
             CheckpointPlan const& plan);

  Scene scene() const override;

  // After compute():
  CaseOutcome const& outcome() const override { return outcome_; }
  bool is_complete() const override;
  std::string summary() const override;
  CaseRecords const& records() const { return *records_; }
  Losses& losses() override { return records_->losses(); }

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

  Case const& case_;
  CaseSetup const& setup_;
  std::optional<CaseRecords> records_;
  CaseOutcome outcome_;
};

}  // namespace tessera
