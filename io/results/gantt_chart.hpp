// SPDX-License-Identifier: MIT
// A picture of who did what when: a row for each worker, time along x, a colour for each kind of
// work. SVG, to be looked at in any browser.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tessera {

struct GanttBar {
  std::size_t row = 0;
  std::string kind;
  double start_s = 0;
  double end_s = 0;
};

struct GanttChart {
  std::string title;
  std::vector<std::string> rows;
  std::vector<GanttBar> bars;
};

/// Draws the last part of the bars: so much of it that single ones can be seen.
/// Throws EnvironmentError; the file is complete or not there.
void write_gantt_chart(std::filesystem::path const& path, GanttChart const& chart);

}  // namespace tessera
