// SPDX-License-Identifier: MIT
#include "run/flow_loop.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "io/json.hpp"
#include "run/flow_watch.hpp"
#include "run/run_aim.hpp"
#include "run/run_control.hpp"
#include "run/running_flow.hpp"

namespace tessera {
namespace {

/// Steps that do nothing.
class NoFlow : public RunningFlow {
 public:
  std::int64_t steps() const override { return steps_; }
  void submit_steps(std::int64_t count) override { steps_ += count; }
  void wait() override {}
  std::int64_t nodes() const override { return 0; }
  void submit_snapshots(std::size_t /*set*/) override {}
  SavedSize saved_size() const override { return {}; }
  void save(CheckpointWriter* /*writer*/) override {}
  void restore(std::int64_t /*step*/, CheckpointReader const& /*reader*/) override {}

 private:
  std::int64_t steps_ = 0;
};

/// A script on a thread of its own that asks for the fields and for the end at once, while the
/// state after step `at` is written down.
class AsksForBoth : public FlowWatch {
 public:
  explicit AsksForBoth(std::int64_t at) : at_(at) {}

  void note_state_after(std::int64_t step) {
    if (step == at_) end_ = fields_ = true;
  }

  std::int64_t next_look() const override { return looked_ + 1; }
  void look(RunningFlow& flow, MonitorRow const& /*known*/) override { looked_ = flow.steps(); }
  std::optional<RunEnd> wants_end() const override {
    return end_ ? std::optional(RunEnd::steered) : std::nullopt;
  }
  bool wants_fields() override { return std::exchange(fields_, false); }
  bool wants_checkpoint() override { return false; }
  FlowChanges take_changes() override { return {}; }
  void end() override {}

 private:
  std::int64_t at_;
  std::int64_t looked_ = -1;
  bool end_ = false;
  bool fields_ = false;
};

class NotesFields : public RunAim {
 public:
  NotesFields(RunningFlow const& flow, AsksForBoth& watch) : flow_(flow), watch_(watch) {}

  void begin() override {}
  void go_on_from(Checkpoints const& /*checkpoints*/) override {}
  std::optional<RunEnd> begun() override {
    watch_.note_state_after(0);
    return std::nullopt;
  }
  std::int64_t next_due() const override { return flow_.steps() + 1; }
  std::optional<RunEnd> after_steps() override { return std::nullopt; }
  MonitorRow monitor_row() const override { return {}; }
  void take(FlowChanges const& /*changes*/) override {}
  std::optional<RunEnd> after_look() override {
    watch_.note_state_after(flow_.steps());
    return std::nullopt;
  }
  std::optional<RunEnd> write_fields() override {
    written.push_back(flow_.steps());
    return std::nullopt;
  }
  std::optional<RunEnd> read_measurements() override { return std::nullopt; }
  Json save(CheckpointWriter& /*writer*/) const override { return {}; }
  std::optional<RunEnd> take_last_measurements() override { return std::nullopt; }

  std::vector<std::int64_t> written;

 private:
  RunningFlow const& flow_;
  AsksForBoth& watch_;
};

TEST(FlowLoop, WritesTheFieldsThatAreAskedForWithTheEnd) {
  for (std::int64_t const at : {0, 1, 5}) {
    SCOPED_TRACE(at);
    NoFlow flow;
    AsksForBoth watch(at);
    NotesFields aim(flow, watch);
    RunOutcome const outcome = run_flow(flow, aim, {.watch = &watch}, {.steps = 100});
    EXPECT_EQ(outcome.end, RunEnd::steered);
    EXPECT_EQ(outcome.steps, at);
    EXPECT_EQ(aim.written, std::vector<std::int64_t>{at});
  }
}

}  // namespace
}  // namespace tessera
