// SPDX-License-Identifier: MIT
// When a run writes checkpoints, and how it resumes from one.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/saved_values.hpp"
#include "io/results/results.hpp"
#include "run/running_flow.hpp"

namespace tessera {

struct FlowIdentity;

/// The user's choice of checkpoints.
struct CheckpointPlan {
  std::optional<std::int64_t> every;  ///< steps
  std::optional<double> minutes;
  bool resume = false;  ///< from the existing checkpoint, if there is one

  bool wanted() const { return every || minutes || resume; }
};

/// Throws BadInput unless the minutes between two checkpoints are a positive number.
void check_checkpoint_minutes(std::optional<double> minutes);

/// All ranks: checks a checkpoint from which a later flow will resume, if the file exists. Throws
/// BadInput if it is damaged, or not the same for all ranks.
void check_checkpoint(std::filesystem::path const& file);

/// The checkpoint of one flow.
class Checkpoints {
 public:
  /// Adds the run's own arrays to the writer and returns the run's own values.
  using AddRun = std::function<Json(CheckpointWriter& writer)>;

  /// Hash of the pores, for flows that have pores; called on all ranks, if there are checkpoints.
  using HashOfPores = std::function<std::string()>;

  /// All ranks: with `resume` opens the file, if it exists. Throws BadInput if it is damaged, of
  /// another flow or not the same for all ranks, and logs which parameters have changed.
  Checkpoints(std::filesystem::path file, CheckpointPlan plan, FlowIdentity identity,
              HashOfPores const& pores = {});
  ~Checkpoints();
  Checkpoints(Checkpoints const&) = delete;
  Checkpoints& operator=(Checkpoints const&) = delete;

  /// The step of the next checkpoint; a large number if checkpoints do not go by steps.
  std::int64_t next_after(std::int64_t step) const;
  /// Whether a checkpoint is due after this step: by its number, or by the clock.
  bool is_due(std::int64_t step) const;
  bool is_due_by_step(std::int64_t step) const;
  /// Whether a checkpoint is written at the end of the run.
  bool wanted_in_the_end() const { return plan_.wanted(); }
  /// Waits for the flow and writes a checkpoint. Throws EnvironmentError; the last checkpoint is
  /// kept then.
  void write(RunningFlow& flow_now, AddRun const& add_run);

  /// Warns that a checkpoint could not be written; the next one is due as if it had been.
  void note_failure(std::int64_t step, std::string const& why);
  /// Warns again if the last checkpoint could not be written.
  void repeat_failure() const;

  /// The checkpoint from which the run resumes, or null.
  CheckpointReader const* earlier() const { return earlier_.get(); }
  /// The step that the run begins with.
  std::int64_t first_step() const;
  /// The run's own values in the earlier checkpoint, which must exist.
  SavedValues run() const { return saved_->object("run"); }
  /// Whether the flow resumes with other parameters: then its state is an initial state, and the
  /// saved convergence and means belong to another flow.
  bool is_other_flow() const { return is_other_flow_; }
  /// Changes of parameters so far, the latest last: "after step 300: magic 0.25 -> 0.1875".
  std::vector<std::string> const& history() const { return history_; }
  /// Restores the flow's saved state. Throws BadInput.
  void restore(RunningFlow& flow_now) const;

  /// Report of the checkpoints that have been written.
  CheckpointsResult report() const;

 private:
  using Clock = std::chrono::steady_clock;

  /// All ranks: opens the earlier checkpoint, if there is one.
  void open();
  /// Refuses another flow, and finds what has changed.
  void compare();

  std::filesystem::path file_;
  CheckpointPlan plan_;
  std::unique_ptr<FlowIdentity> identity_;
  std::unique_ptr<CheckpointReader const> earlier_;
  std::optional<SavedValues> saved_;  ///< the text of the earlier checkpoint
  bool is_other_flow_ = false;
  std::vector<std::string> history_;
  Clock::time_point last_ = Clock::now();
  std::int64_t last_step_ = -1;
  std::int64_t written_ = 0;
  std::string failure_;  ///< of the last one
  double seconds_ = 0;
};

}  // namespace tessera
