// SPDX-License-Identifier: MIT
// A Gantt chart of the workers: a row for each worker, time along x, a colour for each kind of
// work. SVG, for any browser.
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

/// Draws the last part of the work, as many bars as can be distinguished. Throws EnvironmentError;
/// the file appears complete or not at all.
void write_gantt_chart(std::filesystem::path const& path, GanttChart const& chart);

}  // namespace tessera
