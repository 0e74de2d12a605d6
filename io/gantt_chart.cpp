// SPDX-License-Identifier: MIT
#include "io/gantt_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

#include "io/atomic_file.hpp"

namespace tessera {
namespace {

// Pixels.
constexpr double label_width = 190, chart_width = 1200, margin = 20;
constexpr double header = 60, row_height = 24, axis_height = 50;

std::string escaped(std::string const& text) {
  std::string result;
  for (char const c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else {
      result += c;
    }
  }
  return result;
}

/// A colour for each kind of work, the same in each picture: by the order of the names. Told apart
/// by the colour-blind too (Okabe and Ito 2008).
std::map<std::string, char const*> colours_of(std::vector<GanttBar> const& bars) {
  constexpr std::array palette = {"#0072b2", "#e69f00", "#d55e00", "#009e73",
                                  "#cc79a7", "#56b4e9", "#f0e442"};
  std::map<std::string, char const*> colours;
  for (GanttBar const& bar : bars) colours[bar.kind] = nullptr;
  std::size_t next = 1;
  for (auto& [kind, colour] : colours)
    colour = kind == "collide_stream" ? palette[0] : palette[next++ % palette.size()];
  return colours;
}

/// 1, 2 or 5 times a power of ten: at most ten in `range`.
double tick_of(double range) {
  double const power = std::pow(10, std::floor(std::log10(range / 10)));
  for (double const factor : {1, 2, 5}) {
    if (range / (factor * power) <= 10) return factor * power;
  }
  return 10 * power;
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
  double const bottom = header + row_height * static_cast<double>(chart.rows.size());
  auto const x = [&](double t) { return label_width + chart_width * (t - begin) / range; };

  std::string svg;
  auto const add = [&]<class... Values>(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(svg), format, std::forward<Values>(values)...);
  };
  add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{:.0f}\" y=\"20\">{}</text>\n",
      label_width + chart_width + margin, bottom + axis_height, label_width, escaped(chart.title));
  auto const colours = colours_of(chart.bars);
  double at = label_width;
  for (auto const& [kind, colour] : colours) {
    add("<rect x=\"{0:.0f}\" y=\"34\" width=\"14\" height=\"14\" fill=\"{1}\"/>\n"
        "<text x=\"{2:.0f}\" y=\"46\">{3}</text>\n",
        at, colour, at + 20, escaped(kind));
    at += 160;
  }
  for (std::size_t r = 0; r < chart.rows.size(); ++r) {
    double const y = header + row_height * static_cast<double>(r);
    add("<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#eeeeee\"/>\n"
        "<text class=\"row\" x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>\n",
        label_width, y + 2, chart_width, row_height - 4, label_width - 8, y + 17,
        escaped(chart.rows[r].substr(0, 26)));
  }
  for (GanttBar const& bar : chart.bars) {
    if (bar.end_s <= begin || bar.row >= chart.rows.size()) continue;
    double const left = x(std::max(bar.start_s, begin));
    add("<rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" fill=\"{}\">"
        "<title>{}, {:.3f} ms</title></rect>\n",
        left, header + row_height * static_cast<double>(bar.row) + 2, x(bar.end_s) - left,
        row_height - 4, colours.at(bar.kind), escaped(bar.kind), (bar.end_s - bar.start_s) * 1e3);
  }
  double const tick = tick_of(range);
  for (auto n = std::llround(std::ceil(begin / tick)); static_cast<double>(n) * tick <= last; ++n) {
    double const t = static_cast<double>(n) * tick;
    add("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.0f}\" y2=\"{2:.0f}\" stroke=\"black\"/>\n"
        "<text x=\"{0:.1f}\" y=\"{3:.0f}\" text-anchor=\"middle\">{4:.6g}</text>\n",
        x(t), bottom, bottom + 5, bottom + 19, t * 1e3);
  }
  add("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">time in ms</text>\n</svg>\n",
      label_width + chart_width / 2, bottom + 38);
  write_whole_file(path, svg);
}

}  // namespace tessera
