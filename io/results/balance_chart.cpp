// SPDX-License-Identifier: MIT
#include "io/results/balance_chart.hpp"

#include <algorithm>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/results/svg.hpp"

namespace tessera {
namespace {

// Pixels.
constexpr double curve_left = 80, curve_length = 1200, curve_margin = 20;
constexpr double above_curves = 85, panel_height = 200, panel_gap = 30, below_curves = 65;

/// Where a curve is drawn: 0 to `highest` from its bottom to its top, the whole run along x.
struct Panel {
  double top = 0;
  double highest = 1;
  double seconds = 1;

  double bottom() const { return top + panel_height; }
  double x(double at_s) const { return curve_left + curve_length * at_s / seconds; }
  double y(double value) const { return bottom() - panel_height * value / highest; }
};

/// Lines across the panel in whole percents, and its name.
void add_frame(SvgPicture& svg, Panel const& panel, std::string const& name) {
  for_each_tick(0, panel.highest, [&](double value) {
    double const y = panel.y(value);
    svg.add(
        "<line x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#dddddd\"/>\n"
        "<text x=\"{3:.0f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.6g} %</text>\n",
        curve_left, curve_left + curve_length, y, curve_left - 8, y + 4, 100 * value);
  });
  svg.add("<text class=\"panel\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", curve_left, panel.top - 8,
          svg_escaped(name));
}

/// A line through one value of all entries.
template <class Read>
void add_curve(SvgPicture& svg, Panel const& panel, std::vector<BalanceResult::Look> const& looks,
               char const* style, Read&& read) {
  svg.add(R"(<polyline fill="none" {} points=")", style);
  for (BalanceResult::Look const& look : looks)
    svg.add("{:.1f},{:.1f} ", panel.x(look.seconds), panel.y(read(look)));
  svg.add("\"/>\n");
}

/// A line down both panels where tiles moved.
void add_moves(SvgPicture& svg, Panel const& first, Panel const& last,
               std::vector<BalanceResult::Look> const& looks) {
  for (BalanceResult::Look const& look : looks) {
    if (look.moves == 0) continue;
    svg.add(
        "<line class=\"moves\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.0f}\" y2=\"{2:.0f}\" "
        "stroke=\"#999999\" stroke-width=\"2\" stroke-dasharray=\"3 3\">"
        "<title>step {3}: {4} tile{5} moved</title></line>\n",
        first.x(look.seconds), first.top, last.bottom(), look.step, look.moves,
        look.moves == 1 ? "" : "s");
  }
}

/// The step that the flow had taken by then, taken to be even between two entries.
double step_at(std::vector<BalanceResult::Look> const& looks, double at_s) {
  double step = 0;
  double seconds = 0;
  for (BalanceResult::Look const& look : looks) {
    auto const next = static_cast<double>(look.step);
    if (look.seconds >= at_s && look.seconds > seconds)
      return step + (next - step) * (at_s - seconds) / (look.seconds - seconds);
    step = next;
    seconds = look.seconds;
  }
  return step;
}

double highest_speed(std::vector<BalanceResult::Look> const& looks, std::size_t domain) {
  double highest = 0;
  for (BalanceResult::Look const& look : looks) highest = std::max(highest, look.speeds[domain]);
  return std::max(highest, 1e-6);
}

}  // namespace

void write_balance_chart(std::filesystem::path const& path, std::string const& title,
                         BalanceResult const& balance) {
  std::vector<BalanceResult::Look> const& looks = balance.looks;
  double worst = 0.1;
  for (BalanceResult::Look const& look : looks) worst = std::max(worst, look.largest_imbalance);
  double const seconds = looks.empty() ? 1 : std::max(looks.back().seconds, 1e-6);
  Panel const uneven{above_curves, worst, seconds};
  Panel const speed{uneven.bottom() + panel_gap, 1, seconds};

  SvgPicture svg(curve_left + curve_length + curve_margin, speed.bottom() + below_curves,
                 curve_left, title);
  add_frame(svg, uneven, "slowest domain over the mean, less 1");
  add_frame(svg, speed, "speed of each domain, of its highest");
  add_moves(svg, uneven, speed, looks);
  auto const stroke = [](char const* colour) {
    return fmt::format(R"(stroke="{}" stroke-width="1.5")", colour);
  };
  add_curve(svg, uneven, looks, R"(stroke="#bbbbbb")",
            [](auto const& look) { return look.largest_imbalance; });
  add_curve(svg, uneven, looks, R"(stroke="black" stroke-width="1.5")",
            [](auto const& look) { return look.imbalance; });
  double at = curve_left;
  svg.add_legend(at, "black", "imbalance");
  svg.add_legend(at + 120, "#bbbbbb", "its largest");
  at += 240;
  for (std::size_t d = 0; d < balance.domains.size() && !looks.empty(); ++d) {
    char const* const colour = svg_palette[d % svg_palette.size()];
    double const highest = highest_speed(looks, d);
    svg.add_legend(at, colour,
                   fmt::format("{}: up to {:.5g} MFLUPS", balance.domains[d], highest * 1e-6));
    add_curve(svg, speed, looks, stroke(colour).c_str(),
              [&](auto const& look) { return look.speeds[d] / highest; });
    at += 230;
  }
  for_each_tick(0, seconds, [&](double t) {
    svg.add_tick(speed.x(t), speed.bottom(), fmt::format("{:.6g}", t));
    svg.add_axis_name(speed.x(t), speed.bottom(), fmt::format("{:.0f}", step_at(looks, t)));
  });
  svg.add_axis_name(curve_left + curve_length / 2, speed.bottom() + 18,
                    "time in s, and the step that it was");
  write_whole_file(path, svg.finished());
}

}  // namespace tessera
