// SPDX-License-Identifier: MIT
#include "io/results/curve_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/results/svg.hpp"

namespace tessera {
namespace {

constexpr double plot_left = 80, plot_right = 20, plot_top = 60, plot_below = 50, plot_width = 460,
                 plot_height = 240;

struct Range {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -std::numeric_limits<double>::infinity();

  void add(double value) {
    lower = std::min(lower, value);
    upper = std::max(upper, value);
  }
  /// Something to divide by, also for a single value.
  void widen() {
    if (upper > lower) return;
    double const half = lower != 0 ? 0.05 * std::abs(lower) : 0.5;
    lower -= half;
    upper += half;
  }
  double part(double value) const { return (value - lower) / (upper - lower); }
};

class Plane {
 public:
  Plane(bool logarithmic, std::vector<Curve> const& curves) : logarithmic_(logarithmic) {
    for (Curve const& curve : curves) {
      for (auto const& [x, y] : curve.points) {
        if (!drawn(x, y)) continue;
        x_.add(x);
        y_.add(height_of(y));
      }
    }
    x_.widen();
    y_.widen();
    if (logarithmic_) y_ = {std::floor(y_.lower), std::ceil(y_.upper)};
  }

  bool empty() const { return !(x_.upper >= x_.lower); }
  bool drawn(double x, double y) const {
    return std::isfinite(x) && std::isfinite(y) && (!logarithmic_ || y > 0);
  }
  double x(double value) const { return plot_left + plot_width * x_.part(value); }
  double y(double value) const { return y_of_height(height_of(value)); }

  void add_frame(SvgPicture& svg, CurveAxes const& axes) const {
    svg.add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"black\"/>\n",
            plot_left, plot_top, plot_width, plot_height);
    for_each_tick(x_.lower, x_.upper, [&](double at) {
      svg.add_tick(x(at), plot_top + plot_height, fmt::format("{:.6g}", at));
    });
    auto const level = [&](double at) {
      double const value = logarithmic_ ? std::pow(10, at) : at;
      svg.add(
          "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#ddd\"/>\n"
          "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.6g}</text>\n",
          plot_left, plot_left + plot_width, y_of_height(at), plot_left - 6, y_of_height(at) + 4,
          value);
    };
    if (logarithmic_) {
      auto const lowest = std::lround(y_.lower), highest = std::lround(y_.upper);
      long const apart = std::max(1L, (highest - lowest + 7) / 8);
      for (long at = lowest; at <= highest; at += apart) level(static_cast<double>(at));
    } else {
      for_each_tick(y_.lower, y_.upper, level);
    }
    svg.add_axis_name(plot_left + plot_width / 2, plot_top + plot_height, axes.x);
    svg.add("<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            plot_top + plot_height / 2, svg_escaped(axes.y));
  }

 private:
  double height_of(double y) const { return logarithmic_ ? std::log10(y) : y; }
  double y_of_height(double at) const { return plot_top + plot_height * (1 - y_.part(at)); }

  bool logarithmic_;
  Range x_, y_;
};

}  // namespace

std::string curve_chart(CurveAxes const& axes, std::vector<Curve> const& curves) {
  SvgPicture svg(plot_left + plot_width + plot_right, plot_top + plot_height + plot_below,
                 plot_left, axes.title);
  Plane const plane(axes.logarithmic, curves);
  if (plane.empty()) {
    svg.add("<text x=\"{}\" y=\"{}\">nothing to draw</text>\n", plot_left,
            plot_top + plot_height / 2);
    return svg.finished();
  }
  plane.add_frame(svg, axes);
  for (std::size_t c = 0; c < curves.size(); ++c) {
    char const* const colour = svg_palette[c % svg_palette.size()];
    std::string points;
    for (auto const& [x, y] : curves[c].points) {
      if (plane.drawn(x, y)) points += fmt::format("{:.1f},{:.1f} ", plane.x(x), plane.y(y));
    }
    svg.add("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", points,
            colour);
    svg.add_legend(plot_left + 150 * static_cast<double>(c), colour, curves[c].name);
  }
  return svg.finished();
}

}  // namespace tessera
