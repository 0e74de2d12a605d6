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

/// What a chart shows.
struct Shown {
  double begin_s = 0;
  double end_s = 0;
};

/// The time of 40 of the tasks that take most of the time, up to the last of these: what a run does
/// at its end is no part of its work. Times are medians, as a task that the system has kept waiting
/// may take a hundred times as long as others.
Shown shown(std::vector<GanttBar> const& bars) {
  std::map<std::string, std::vector<double>> lengths;
  std::map<std::string, double> ends;
  for (GanttBar const& bar : bars) {
    lengths[bar.kind].push_back(bar.end_s - bar.start_s);
    ends[bar.kind] = std::max(ends[bar.kind], bar.end_s);
  }
  double usual = 0, most = -1;
  Shown shown;
  for (auto& [kind, of_kind] : lengths) {
    auto const middle = of_kind.begin() + static_cast<std::ptrdiff_t>(of_kind.size() / 2);
    std::ranges::nth_element(of_kind, middle);
    double const all = *middle * static_cast<double>(of_kind.size());
    if (all <= most) continue;
    most = all;
    usual = *middle;
    shown.end_s = ends[kind];
  }
  double first = shown.end_s;
  for (GanttBar const& bar : bars) first = std::min(first, bar.start_s);
  shown.begin_s = std::max(first, shown.end_s - 40 * usual);
  return shown;
}

}  // namespace

void write_gantt_chart(std::filesystem::path const& path, GanttChart const& chart) {
  auto const [begin, end] = shown(chart.bars);
  double const range = std::max(end - begin, 1e-6);
  double const bottom = above_rows + row_height * static_cast<double>(chart.rows.size());
  auto const x = [&, begin = begin](double t) {
    return row_left + row_length * (t - begin) / range;
  };

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
    if (bar.end_s <= begin || bar.start_s >= end || bar.row >= chart.rows.size()) continue;
    double const left = x(std::max(bar.start_s, begin));
    double const right = x(std::min(bar.end_s, end));
    svg.add(
        "<rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" fill=\"{}\">"
        "<title>{}, {:.3f} ms</title></rect>\n",
        left, above_rows + row_height * static_cast<double>(bar.row) + 2, right - left,
        row_height - 4, colours.at(bar.kind), svg_escaped(bar.kind),
        (bar.end_s - bar.start_s) * 1e3);
  }
  for_each_tick(begin, begin + range,
                [&](double t) { svg.add_tick(x(t), bottom, fmt::format("{:.6g}", t * 1e3)); });
  svg.add_axis_name(row_left + row_length / 2, bottom, "time in ms");
  write_whole_file(path, svg.finished());
}

}  // namespace tessera
