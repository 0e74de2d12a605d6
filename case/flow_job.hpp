// SPDX-License-Identifier: MIT
// The flow of a case, whatever its method, and the folder that its results go to.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "case/file/case_file.hpp"
#include "io/json.hpp"
#include "io/results/results.hpp"
#include "run/checkpoint/checkpoints.hpp"
#include "run/flow_loop.hpp"
#include "run/losses.hpp"
#include "run/performance.hpp"
#include "run/plan/worker_plan.hpp"
#include "run/scene.hpp"

namespace tessera {

/// How far a flow is. What a method does not know is absent.
struct FlowProgress {
  std::int64_t step = 0;
  std::optional<std::int64_t> of{};  ///< the last step
  std::int64_t nodes = 0;            ///< 0: its speed is not one in nodes
  std::int64_t tiles = 0;
  std::optional<double> change{};  ///< relative, of the velocities, when it was last looked at
  std::optional<double> time{};    ///< when the state was measured last
};
using ObserveFlow = std::function<void(FlowProgress const&)>;

/// Throws BadInput where this machine lacks what the case requires.
void check_machine(CaseFile const& c);

/// When checkpoints are written: as the case says, except for `minutes`, if given.
CheckpointPlan checkpoint_plan(CaseFile::Checkpoint const& asked, std::optional<double> minutes,
                               bool resume);

class FlowJob {
 public:
  virtual ~FlowJob() = default;
  FlowJob(FlowJob const&) = delete;
  FlowJob& operator=(FlowJob const&) = delete;

  Checkpoints const& checkpoints() const { return checkpoints_; }
  /// What scripts see of the flow. The job must outlive it.
  virtual Scene scene() const = 0;
  /// Collective: runs the flow to its end. `watch` may be null; `observe` is called after each
  /// sweep. Throws BadInput for what shows only in the flow itself.
  void compute(std::atomic<bool> const& stop, FlowWatch* watch, ObserveFlow const& observe);

  // After compute():
  virtual RunOutcome const& outcome() const = 0;
  /// Whether the flow has come to where the case ends.
  virtual bool is_complete() const = 0;
  /// What it has come to, for people: lines.
  virtual std::string summary() const = 0;
  PerformanceResult performance() const { return performance_.result(); }
  /// Content of results.json: the main results come first.
  Json results() const;
  /// Collective: writes tables, means, the fields of the last step. Files that cannot be written
  /// are noted in losses().
  void write_records();
  virtual Losses& losses() = 0;

 protected:
  /// Reads the checkpoint to resume from, if there is one. The folder exists; the case must outlive
  /// the job. Throws BadInput.
  FlowJob(CaseFile const& c, std::filesystem::path folder, CheckpointPlan const& plan,
          FlowIdentity identity, Checkpoints::HashOfPores const& hash = {});

  std::filesystem::path const& folder() const { return folder_; }
  /// Removes the fields of an earlier run, unless this run goes on from it.
  void remove_old_fields();

  // What differs between methods:
  virtual WorkerPlan choose_workers() const = 0;
  /// Runs the flow; a Runtime is there. Notes in `performance` what it took.
  virtual void run(Workers const& workers, ObserveFlow const& observe, RunControl const& control,
                   Performance& performance) = 0;
  /// What is said of a flow that has diverged: when, and what would be better.
  virtual std::string why_diverged() const = 0;
  virtual void write_own_records() = 0;
  /// Files that the case takes its geometry from.
  virtual Json files() const = 0;
  /// Sections of results.json: what flows in what; how it ended; what was found; how fast it was.
  virtual Json set_up_section() const = 0;
  virtual Json end_section() const = 0;
  virtual Json found_section() const = 0;
  virtual Json performance_section() const = 0;

 private:
  CaseFile const& case_;
  RunResult run_;
  std::filesystem::path folder_;
  Checkpoints checkpoints_;
  Performance performance_;
};

}  // namespace tessera
