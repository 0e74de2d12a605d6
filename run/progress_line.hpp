// SPDX-License-Identifier: MIT
// A flow's progress for the user: one line at a time, at a pace.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "run/console/pace.hpp"

namespace tessera {

class ProgressLine {
 public:
  /// The progress of a run of so many nodes that begins after `first_step`. `name` stands in front;
  /// `unit`: what is counted, "step" or "iteration"; only steps have a speed in updates of nodes.
  ProgressLine(std::string name, std::int64_t nodes, std::int64_t first_step, bool quiet,
               Pace pace = Pace::of_standard_error(), std::string unit = "step");
  ~ProgressLine();
  ProgressLine(ProgressLine const&) = delete;
  ProgressLine& operator=(ProgressLine const&) = delete;

  /// Whether the next line is due; call it once for each.
  bool is_due() { return !quiet_ && pace_.is_due(); }
  /// Prints a line. `of`: the last step, if there is a limit that is meant to be reached; `known`:
  /// figures of the flow, followed by a space; `ending`: what follows the speed.
  void print(std::int64_t step, std::optional<std::int64_t> of, std::string const& known,
             std::string const& ending = {});
  /// Seconds since the run began.
  double elapsed() const;

 private:
  std::string name_;
  std::int64_t nodes_;
  std::int64_t first_step_;
  bool quiet_;
  Pace pace_;
  std::string unit_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tessera
