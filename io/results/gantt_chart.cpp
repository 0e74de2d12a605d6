// SPDX-License-Identifier: MIT
#include "io/results/gantt_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "io/atomic_file.hpp"
#include "io/results/svg.hpp"

namespace tessera {
namespace {

// Pixels.
constexpr double row_left = 190, row_length = 1200, row_margin = 20;
constexpr double above_rows = 60, row_height = 24, below_rows = 50;

/// A colour for each kind of work, the same in each picture: by the order of the names.
std::map<std::string, char const*> colours_of(std::vector<GanttBar> const& bars) {
  std::map<std::string, char const*> colours;
  for (GanttBar const& bar : bars) colours[bar.kind] = nullptr;
  std::size_t next = 1;
  for (auto& [kind, colour] : colours)
    colour = kind == "collide_stream" ? svg_palette[0] : svg_palette[next++ % svg_palette.size()];
  return colours;
}

/// As long as 40 of the tasks that take most of the time; the median, as a task that the system has
/// kept waiting may be a hundred times as long as others.
double shown_seconds(std::vector<GanttBar> const& bars) {
  std::map<std::string, double> sums;
  for (GanttBar const& bar : bars) sums[bar.kind] += bar.end_s - bar.start_s;
  if (sums.empty()) return 0;
  auto const most = std::ranges::max_element(sums, {}, [](auto const& sum) { return sum.second; });
  std::vector<double> lengths;
  for (GanttBar const& bar : bars) {
    if (bar.kind == most->first) lengths.push_back(bar.end_s - bar.start_s);
  }
  auto const middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::ranges::nth_element(lengths, middle);
  return 40 * *middle;
}

}  // namespace

void write_gantt_chart(std::filesystem::path const& path, GanttChart const& chart) {
  double first = 0, last = 0;
  for (GanttBar const& bar : chart.bars) {
    first = &bar == chart.bars.data() ? bar.start_s : std::min(first, bar.start_s);
    last = std::max(last, bar.end_s);
  }
  double const begin = std::max(first, last - shown_seconds(chart.bars));
  double const range = std::max(last - begin, 1e-6);
  double const bottom = above_rows + row_height * static_cast<double>(chart.rows.size());
  auto const x = [&](double t) { return row_left + row_length * (t - begin) / range; };

  SvgPicture svg(row_left + row_length + row_margin, bottom + below_rows, row_left, chart.title);
  auto const colours = colours_of(chart.bars);
  double at = row_left;
  for (auto const& [kind, colour] : colours) {
    svg.add_legend(at, colour, kind);
    at += 160;
  }
  for (std::size_t r = 0; r < chart.rows.size(); ++r) {
    double const y = above_rows + row_height * static_cast<double>(r);
    svg.add(
        "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#eeeeee\"/>\n"
        "<text class=\"row\" x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>\n",
        row_left, y + 2, row_length, row_height - 4, row_left - 8, y + 17,
        svg_escaped(chart.rows[r].substr(0, 26)));
  }
  for (GanttBar const& bar : chart.bars) {
    if (bar.end_s <= begin || bar.row >= chart.rows.size()) continue;
    double const left = x(std::max(bar.start_s, begin));
    svg.add(
        "<rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" fill=\"{}\">"
        "<title>{}, {:.3f} ms</title></rect>\n",
        left, above_rows + row_height * static_cast<double>(bar.row) + 2, x(bar.end_s) - left,
        row_height - 4, colours.at(bar.kind), svg_escaped(bar.kind),
        (bar.end_s - bar.start_s) * 1e3);
  }
  for_each_tick(begin, begin + range,
                [&](double t) { svg.add_tick(x(t), bottom, fmt::format("{:.6g}", t * 1e3)); });
  svg.add_axis_name(row_left + row_length / 2, bottom, "time in ms");
  write_whole_file(path, svg.finished());
}

}  // namespace tessera
