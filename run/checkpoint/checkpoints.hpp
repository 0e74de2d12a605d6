// SPDX-License-Identifier: MIT
// When a run is written down to go on later, and how it goes on.
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

/// What the user asks for.
struct CheckpointPlan {
  std::optional<std::int64_t> every;  ///< steps
  std::optional<double> minutes;
  bool resume = false;  ///< from the checkpoint that is there, if there is one

  bool wanted() const { return every || minutes || resume; }
};

/// All ranks: one that a later flow is to go on from, if it is there. Throws BadInput if it is
/// damaged, or not the same for all.
void check_checkpoint(std::filesystem::path const& file);

/// The checkpoint of one flow.
class Checkpoints {
 public:
  /// Fills the writer beside the populations and returns what only this run knows.
  using AddRun = std::function<Json(CheckpointWriter& writer)>;

  /// What tells pores apart, of flows that have pores: all ranks are asked, if checkpoints are
  /// wanted.
  using HashOfPores = std::function<std::string()>;

  /// All ranks: with `resume` opens the file, if it is there. Throws BadInput if it is damaged, of
  /// another flow or not the same for all, and says in the log which parameters have changed.
  Checkpoints(std::filesystem::path file, CheckpointPlan plan, FlowIdentity identity,
              HashOfPores const& pores = {});
  ~Checkpoints();
  Checkpoints(Checkpoints const&) = delete;
  Checkpoints& operator=(Checkpoints const&) = delete;

  /// The step of the next one; a large number if they do not go by steps.
  std::int64_t next_after(std::int64_t step) const;
  /// Whether one is to be written after this step: by its number, or by the clock.
  bool is_due(std::int64_t step) const;
  bool is_due_by_step(std::int64_t step) const;
  /// Whether the end of the run is one.
  bool wanted_in_the_end() const { return plan_.wanted(); }
  /// Waits for the flow and writes it. Throws EnvironmentError; the one before is still there then.
  void write(RunningFlow& flow_now, AddRun const& add_run);

  /// It could not be written: warns, and the next one is due when it would have been.
  void note_failure(std::int64_t step, std::string const& why);
  /// Warns again if the last one could not be written.
  void repeat_failure() const;

  /// The one that the run goes on from, or null.
  CheckpointReader const* earlier() const { return earlier_.get(); }
  /// The step that the run begins with.
  std::int64_t first_step() const;
  /// What the run knew then. There must be one.
  SavedValues run() const { return saved_->object("run"); }
  /// Whether the flow goes on with other parameters: then its state is one to begin with, and what
  /// the run knew of its convergence and its means is of another flow.
  bool is_other_flow() const { return is_other_flow_; }
  /// By what changes the flow came about, the latest last: "after step 300: magic 0.25 -> 0.1875".
  std::vector<std::string> const& history() const { return history_; }
  /// Brings the flow to where it was. Throws BadInput.
  void restore(RunningFlow& flow_now) const;

  /// What has been written.
  CheckpointsResult report() const;

 private:
  using Clock = std::chrono::steady_clock;

  /// All ranks: opens the earlier one, if there is one.
  void open();
  /// Refuses another flow, and finds out what has changed.
  void compare();

  std::filesystem::path file_;
  CheckpointPlan plan_;
  std::unique_ptr<FlowIdentity> identity_;
  std::unique_ptr<CheckpointReader const> earlier_;
  std::optional<SavedValues> saved_;  ///< the text of the earlier one
  bool is_other_flow_ = false;
  std::vector<std::string> history_;
  Clock::time_point last_ = Clock::now();
  std::int64_t last_step_ = -1;
  std::int64_t written_ = 0;
  std::string failure_;  ///< of the last one
  double seconds_ = 0;
};

}  // namespace tessera
