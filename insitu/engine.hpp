// SPDX-License-Identifier: MIT
// The engine that runs the user's scripts on a frame. ParaView is one (insitu/paraview/), Catalyst
// 2 another (insitu/catalyst2/); each is a shared module that is loaded only when there is a script
// to run, so that it does not slow down the start of the command.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "insitu/frame.hpp"
#include "insitu/script.hpp"

namespace tessera {

/// The names of the channels in scripts.
inline constexpr std::array<char const*, 4> channel_names{"fluid", "walls", "monitor", "tiles"};

/// An error of a script.
struct ScriptError {
  std::string script;
  std::int64_t step = 0;
  std::string text;      ///< with the traceback, several lines
  bool dropped = false;  ///< the script will not be run again
};

/// Requests of scripts to the run: values of the proxy TesseraSteering.
struct Steering {
  std::optional<double> body_force_factor;  ///< relative to the force that the run began with
  std::optional<double> tolerance;          ///< relative error of the permeability
  std::optional<std::int64_t> interval;     ///< steps from one frame to the next
  std::int64_t fields = 0;                  ///< a changed number requests the fields now
  std::int64_t checkpoint = 0;              ///< a changed number requests a checkpoint now
  bool stop = false;
};

/// All calls come from one thread. If the process is one of several ranks, and MPI is initialised,
/// all of them call, with frames of the same step.
class Engine {
 public:
  Engine() = default;
  virtual ~Engine() = default;
  Engine(Engine const&) = delete;
  Engine& operator=(Engine const&) = delete;

  /// Starts the scripts on a new series of frames, which ends the one before. Files that scripts
  /// write by relative names go to `folder`. The scripts are read with the first frame.
  virtual void begin(std::vector<Script> const& scripts, std::filesystem::path const& folder) = 0;
  /// Runs all scripts that have not been dropped. Returns when the frame is no longer needed.
  virtual std::vector<ScriptError> execute(Frame const& frame) = 0;
  /// The requests of the scripts in the last frame.
  virtual Steering steering() const { return {}; }
  /// Ends the series.
  virtual std::vector<ScriptError> end() = 0;
  /// Name and version of the engine.
  virtual std::string description() const = 0;
};

/// Throws BadInput, one line that begins with `asked_by`, if this build has no engine or the engine
/// is not beside the program.
void check_engine(std::string const& asked_by);
/// Loads the engine; call it on the thread that will use it. Throws EnvironmentError.
std::unique_ptr<Engine> load_engine();

/// Name under which a module exports a function that makes its engine.
inline constexpr char const* engine_factory_name = "tessera_make_engine";
using EngineFactory = Engine* (*)();

}  // namespace tessera
