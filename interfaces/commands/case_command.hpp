// SPDX-License-Identifier: MIT
// The run of a case, whatever its method, and what people see of it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "case/flow_job.hpp"
#include "interfaces/commands/run_options.hpp"
#include "run/insitu/in_situ_options.hpp"

namespace tessera {

/// What a method makes of a case.
struct CaseOfMethod {
  CaseFile const& file;
  CaseFile::Checkpoint const& checkpoint;
  InSituOptions in_situ;
  /// The job, for the folder of the results.
  std::function<std::unique_ptr<FlowJob>(std::filesystem::path const& folder,
                                         CheckpointPlan const& plan)>
      job;
};

/// Collective: runs a case to its end and writes what it found; returns the exit status. Throws
/// BadInput, and leaves nothing behind, for what the machine lacks and for what shows only in the
/// flow itself.
int run_case_of(CaseOfMethod const& c, RunOptions const& options);

/// run_case_of() by a method's job: LatticeJob, GasJob.
template <class Job, class C, class Setup>
int run_by(C const& c, Setup const& setup, InSituOptions in_situ, RunOptions const& options) {
  auto const job = [&](std::filesystem::path const& folder, CheckpointPlan const& plan) {
    return std::make_unique<Job>(c, setup, folder, plan);
  };
  return run_case_of(
      {.file = c, .checkpoint = c.output.checkpoint, .in_situ = std::move(in_situ), .job = job},
      options);
}

}  // namespace tessera
