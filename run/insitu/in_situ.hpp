// SPDX-License-Identifier: MIT
// Scripts that look at the flow while it runs: the state of a due step is fetched as tasks, and
// analysed on a thread of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "insitu/analysis_thread.hpp"
#include "insitu/engine.hpp"
#include "io/results/results.hpp"
#include "run/flow_watch.hpp"
#include "run/insitu/flow_monitor.hpp"
#include "run/insitu/in_situ_options.hpp"
#include "run/insitu/scene_frames.hpp"
#include "run/insitu/script_wishes.hpp"
#include "run/scene.hpp"

namespace tessera {

/// One for all flows of a job: ParaView starts once. Each of several ranks gives its part of the
/// fields to the scripts, and all look at the same steps.
class InSitu : public FlowWatch {
 public:
  /// Scripts and what they write go to `folder`, which is made. Begins to start ParaView. Throws
  /// BadInput.
  InSitu(InSituOptions options, std::filesystem::path folder);
  ~InSitu() override;
  InSitu(InSitu const&) = delete;
  InSitu& operator=(InSitu const&) = delete;

  /// Before each flow, and before there is a Runtime: while ParaView starts, the workers of a
  /// Runtime would spin beside it. `name`: the folder for what the scripts write, or empty.
  void begin(Scene scene, std::string const& name, std::int64_t first_step);
  InSituResult result() const;

  std::int64_t next_look() const override;
  /// The look at the first step waits for the scripts, so that their mistakes show within seconds.
  /// Throws BadInput with the traceback if one fails there and the user wants that to end the run.
  void look(RunningFlow& flow, MonitorRow const& known) override;
  std::optional<RunEnd> wants_end() const override;
  bool wants_fields() override { return wishes_.take_fields(); }
  bool wants_checkpoint() override { return wishes_.take_checkpoint(); }
  FlowChanges take_changes() override { return wishes_.take_changes(); }
  /// Waits for the analysis of the last frame.
  void end() override;

 private:
  bool any_may_use(char const* channel) const;
  /// The channels with fields that a frame is to have.
  struct Channels {
    bool fluid = false;
    bool walls = false;
  };
  Channels channels() const;
  void wait_for_first_look();
  /// Collective: the first mistake, of whichever rank. Throws BadInput.
  [[noreturn]] void refuse() const;
  std::string described(ScriptError const& error) const;
  /// Once, if the analysis thread has crashed.
  void note_crash();

  // Called by the analysis thread:
  void start_engine();
  void analyse(RunningFlow& flow, std::size_t set, Channels channels, Frame& frame);
  void execute(Frame const& frame);
  void note(std::vector<ScriptError> const& errors);

  InSituOptions options_;
  std::filesystem::path folder_;

  // Used by the thread of the run.
  std::int64_t first_ = 0;  ///< the step that the flow begins with
  std::int64_t next_ = 0;
  std::int64_t looked_at_ = -1;
  FlowMonitor monitor_;
  bool crash_noted_ = false;

  // Used by the analysis thread.
  Engine* engine_ = nullptr;  ///< owned; made and destroyed on that thread

  // Used by both.
  SceneFrames frames_;
  ScriptWishes wishes_;
  std::atomic<std::int64_t> analysed_step_ = 0;
  mutable std::mutex mutex_;
  InSituResult result_;  ///< guarded by the mutex

  AnalysisThread thread_;  // the last member: it uses the others
};

}  // namespace tessera
