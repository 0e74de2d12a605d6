// SPDX-License-Identifier: MIT
// Scripts that look at the flow while it runs: fetches the state of a due step as tasks, and has it
// analysed on a thread of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "insitu/analysis_thread.hpp"
#include "insitu/engine.hpp"
#include "insitu/walls.hpp"
#include "io/results/results.hpp"
#include "run/fields/frame_parts.hpp"
#include "run/flow_watch.hpp"
#include "run/node_flow.hpp"
#include "run/scene.hpp"

namespace tessera {

enum class OnScriptError : std::uint8_t {
  warn,  ///< the script is dropped, the run goes on
  stop   ///< the run ends
};

/// What the user asks for.
struct InSituOptions {
  std::string asked_by = "--insitu";  ///< that messages begin with
  std::vector<Script> scripts;
  static constexpr std::int64_t usual_steps = 500;
  static constexpr std::int64_t usual_iterations = 10;
  std::optional<std::int64_t> every;  ///< steps or iterations; none: as is usual
  WhenBehind when_behind = WhenBehind::wait;
  OnScriptError errors = OnScriptError::warn;
};

/// Throws BadInput, one line, if the scripts cannot be run here: no ParaView, or a picture to draw
/// and no X server.
void check_in_situ(InSituOptions const& options);

/// One for all flows of a job: ParaView starts once. Of several ranks each hands its part of the
/// fields to the scripts, and all look at the same steps; what scripts ask of the run reaches it
/// when it looks the next time, as all have to hear of it at the same step.
class InSitu : public FlowWatch {
 public:
  /// Scripts and what they write go to `folder`, which is made. Begins to start ParaView. Throws
  /// BadInput.
  InSitu(InSituOptions options, std::filesystem::path folder);
  ~InSitu() override;
  InSitu(InSitu const&) = delete;
  InSitu& operator=(InSitu const&) = delete;

  /// Before each flow, and before there is a Runtime: while ParaView starts, its workers would spin
  /// beside it. `name`: of the folder for what the scripts write, or empty.
  void begin(Scene scene, std::string const& name, std::int64_t first_step);
  InSituResult result() const;

  std::int64_t next_look() const override;
  /// The look at the first step waits for the scripts, so that their mistakes show within seconds.
  /// Throws BadInput with the traceback if one fails there and the user wants that to end the run.
  void look(RunningFlow& flow, MonitorRow const& known) override;
  std::optional<RunEnd> wants_end() const override;
  bool wants_fields() override;
  bool wants_checkpoint() override;
  FlowChanges take_changes() override;
  /// Waits for the analysis of the last frame.
  void end() override;

 private:
  /// What the scripts, and their mistakes, ask of the run.
  struct Wishes {
    bool failed = false;
    bool stop = false;
    bool fields = false;
    bool checkpoint = false;
    FlowChanges changes;
    std::optional<std::int64_t> interval;
    std::size_t alive = 0;  ///< scripts that have not been dropped
  };

  bool any_may_use(char const* channel) const;
  /// All ranks: takes what has been asked for up to now: of several ranks, of the first one.
  void hear();
  static Wishes told_by_first(Wishes own);
  /// What the run knows of; the mutex is to be held.
  Wishes& known_wishes();
  Wishes wishes() const;
  /// All ranks: the first mistake, of whichever rank. Throws BadInput.
  [[noreturn]] void refuse() const;
  /// What is known and what the workers did since the look before.
  MonitorRow monitor_row(RunningFlow const& flow, MonitorRow row);
  std::string described(ScriptError const& error) const;
  std::vector<TileRow> tile_rows(RunningFlow const& flow);
  /// The time of the last submitted step, as the frame has it.
  double time_of(RunningFlow& flow) const;
  /// On the analysis thread:
  void start_engine();
  void fill(RunningFlow& flow, std::size_t set, Frame& frame);
  /// Returns the bytes that were copied.
  std::int64_t fill_voxels(NodeFlow& flow, std::size_t set, Frame& frame);
  /// The scene, if it is of voxels.
  VoxelScene const* voxels() const { return std::get_if<VoxelScene>(&scene_); }
  void find_walls(Frame& frame);
  void analyse(Frame const& frame);
  void note(std::vector<ScriptError> const& errors);
  /// Once, if the analysis thread has crashed.
  void note_crash();

  InSituOptions options_;
  std::filesystem::path folder_;

  // Of the flow.
  Wishes heard_;
  Scene scene_;
  std::int64_t first_ = 0;  ///< step that the flow begins with
  std::int64_t next_ = 0;
  std::int64_t looked_at_ = -1;
  std::vector<double> tiles_busy_;  ///< at the last look
  std::vector<double> workers_busy_;
  std::int64_t monitored_step_ = 0;
  std::chrono::steady_clock::time_point monitored_;

  // Of the analysis thread.
  Engine* engine_ = nullptr;  ///< owned; made and destroyed there
  std::unique_ptr<FrameParts> parts_;
  std::unique_ptr<Walls> walls_;
  std::int64_t last_fields_asked_ = 0;
  std::int64_t last_checkpoint_asked_ = 0;

  // Of both.
  mutable std::mutex mutex_;
  InSituResult result_;
  Wishes asked_;  ///< since they were last heard
  std::atomic<std::int64_t> analysed_step_ = 0;
  bool crash_noted_ = false;

  AnalysisThread thread_;  // the last: it uses the others
};

}  // namespace tessera
