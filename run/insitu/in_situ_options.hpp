// SPDX-License-Identifier: MIT
// What the user asks for: which scripts look at the flow, how often, and what their mistakes do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "insitu/analysis_thread.hpp"
#include "insitu/engine.hpp"

namespace tessera {

enum class OnScriptError : std::uint8_t {
  warn,  ///< the script is dropped, the run goes on
  stop   ///< the run ends
};

struct InSituOptions {
  std::string asked_by = "--insitu";  ///< messages begin with it
  std::vector<Script> scripts;
  static constexpr std::int64_t usual_steps = 500;
  static constexpr std::int64_t usual_iterations = 10;
  std::optional<std::int64_t> every;  ///< steps or iterations; without a value the usual number
  WhenBehind when_behind = WhenBehind::wait;
  OnScriptError errors = OnScriptError::warn;
};

/// Throws BadInput, one line, if the scripts cannot be run here: no ParaView, or a picture to draw
/// and no X server.
void check_in_situ(InSituOptions const& options);

}  // namespace tessera
