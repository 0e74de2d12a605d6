// SPDX-License-Identifier: MIT
#include "permeability/studies/rev_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "io/atomic_file.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "io/results/svg.hpp"
#include "models/lattice/units.hpp"

namespace tessera {
namespace {

/// Quantile of sorted values, by linear interpolation.
double quantile(std::vector<double> const& sorted, double share) {
  double const at = share * static_cast<double>(sorted.size() - 1);
  auto const lower = static_cast<std::size_t>(at);
  double const next = sorted[std::min(lower + 1, sorted.size() - 1)];
  return sorted[lower] + (at - static_cast<double>(lower)) * (next - sorted[lower]);
}

double mean_of(std::vector<double> const& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(std::vector<double> const& values) {
  if (values.size() < 2) return 0;
  double const mean = mean_of(values);
  double sum = 0;
  for (double const v : values) sum += (v - mean) * (v - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

// Pixels of the chart.
constexpr double chart_left = 90, chart_right = 30, chart_top = 70, chart_width = 640,
                 chart_height = 400, chart_below = 60;

/// Places of values in the chart, on a logarithmic scale; 0 is placed on the axis.
class Chart {
 public:
  Chart(std::span<SubVolumeAnswer const> answers, double unit) : unit_(unit) {
    double least = 0, most = 0;
    for (SubVolumeAnswer const& a : answers) {
      widest_ = std::max(widest_, a.where.edge);
      double const value = a.value * unit;
      if (!(value > 0)) continue;
      least = least > 0 ? std::min(least, value) : value;
      most = std::max(most, value);
    }
    if (most > 0) {
      first_ = std::floor(std::log10(least));
      last_ = std::max(std::ceil(std::log10(most)), first_ + 1);
    }
  }
  double x(double edge) const {
    return chart_left + chart_width * edge / (1.1 * static_cast<double>(widest_));
  }
  double y(double value) const {
    double const share = value > 0 ? (std::log10(value * unit_) - first_) / (last_ - first_) : 0;
    return chart_top + chart_height * (1 - std::clamp(share, 0.0, 1.0));
  }
  double bottom() const { return chart_top + chart_height; }

  void add_frame(SvgPicture& svg, std::string const& name) const {
    for (int d = 0; d <= static_cast<int>(last_ - first_); ++d) {
      double const decade = first_ + d;
      double const at = chart_top + chart_height * (1 - d / (last_ - first_));
      svg.add(
          "<line x1=\"{0:.0f}\" x2=\"{1:.0f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#dddddd\"/>\n"
          "<text x=\"{3:.0f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>\n",
          chart_left, chart_left + chart_width, at, chart_left - 8, at + 4, std::pow(10, decade));
    }
    for_each_tick(0, 1.1 * static_cast<double>(widest_),
                  [&](double edge) { svg.add_tick(x(edge), bottom(), fmt::format("{:g}", edge)); });
    svg.add_axis_name(chart_left + chart_width / 2, bottom(), "edge in voxels");
    svg.add(
        "<text transform=\"translate(20,{:.0f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        chart_top + chart_height / 2, svg_escaped(name));
  }

 private:
  double unit_;
  std::int64_t widest_ = 1;
  double first_ = 0, last_ = 1;
};

/// Draws median and quartiles, `aside` pixels off, so that the axes stand beside each other.
void add_summary(SvgPicture& svg, Chart const& chart, RevStatistics const& s, char const* colour,
                 double aside) {
  double const x = chart.x(static_cast<double>(s.edge)) + aside;
  svg.add(
      "<line class=\"quartiles\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" "
      "stroke=\"{3}\" stroke-width=\"2\"/>\n"
      "<rect class=\"median\" x=\"{4:.1f}\" y=\"{5:.1f}\" width=\"16\" height=\"3\" "
      "fill=\"{3}\"/>\n",
      x, chart.y(s.upper), chart.y(s.lower), colour, x - 8, chart.y(s.median) - 1.5);
}

}  // namespace

std::vector<RevStatistics> statistics_of(std::span<SubVolumeAnswer const> answers) {
  std::map<std::pair<Axis, std::int64_t>, std::vector<SubVolumeAnswer const*>> groups;
  for (SubVolumeAnswer const& a : answers) groups[{a.axis, a.where.edge}].push_back(&a);
  std::vector<RevStatistics> all;
  for (auto const& [of, group] : groups) {
    RevStatistics s{.axis = of.first, .edge = of.second};
    std::vector<double> values, porosity;
    for (SubVolumeAnswer const* const a : group) {
      ++s.samples;
      porosity.push_back(a->porosity);
      if (a->leads_through) ++s.leading_through;
      if (a->answered()) {
        values.push_back(a->value);
      } else {
        ++s.unanswered;
      }
    }
    std::ranges::sort(values);
    s.porosity = mean_of(porosity);
    s.porosity_spread = deviation_of(porosity);
    if (!values.empty()) {
      s.mean = mean_of(values);
      s.median = quantile(values, 0.5);
      s.lower = quantile(values, 0.25);
      s.upper = quantile(values, 0.75);
      if (s.mean > 0) s.spread = deviation_of(values) / s.mean;
    }
    all.push_back(s);
  }
  return all;
}

Json to_json(RevStatistics const& s, RevUnits const& units) {
  Json json{{"axis", std::string(1, name_of(s.axis))},
            {"edge", s.edge},
            {"samples", s.samples},
            {"leading_through", s.leading_through},
            {"unanswered", s.unanswered},
            {units.of_conductivity ? "conducting_fraction" : "porosity", s.porosity},
            {units.of_conductivity ? "conducting_fraction_spread" : "porosity_spread",
             s.porosity_spread}};
  if (units.of_conductivity) {
    json.update({{"effective_mean", s.mean},
                 {"effective_median", s.median},
                 {"effective_quartiles", {s.lower, s.upper}},
                 {"effective_spread", s.spread},
                 {"formation_factor_median",
                  s.median > 0 ? Json(units.largest / s.median) : Json(nullptr)}});
    return json;
  }
  auto const in_md = [&](double k) { return or_null(millidarcys(k, units.voxel_size_m)); };
  json.update({{"k_mean_lattice", s.mean},
               {"k_median_lattice", s.median},
               {"k_quartiles_lattice", {s.lower, s.upper}},
               {"k_mean_mD", in_md(s.mean)},
               {"k_median_mD", in_md(s.median)},
               {"k_quartiles_mD", {in_md(s.lower), in_md(s.upper)}},
               {"k_spread", s.spread}});
  return json;
}

std::string rev_csv(std::span<SubVolumeAnswer const> answers, RevUnits const& units) {
  std::string text = fmt::format(
      "axis,edge,x,y,z,{},error_estimate,iterations,state\n",
      units.of_conductivity ? "conducting_fraction,percolating_fraction,effective,formation_factor"
                            : "porosity,percolating_porosity,k_lattice,k_mD");
  for (SubVolumeAnswer const& a : answers) {
    auto const value = a.if_answered();
    std::optional<double> other = millidarcys(value, units.voxel_size_m);
    if (units.of_conductivity)
      other = value && *value > 0 ? std::optional(units.largest / *value) : std::nullopt;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", name_of(a.axis), a.where.edge,
                        a.where.lower.x, a.where.lower.y, a.where.lower.z, a.porosity,
                        a.percolating_porosity, csv_number(value), csv_number(other),
                        a.answered() ? csv_number(a.error_estimate) : "", a.iterations, a.state());
  }
  return text;
}

void write_rev_csv(std::filesystem::path const& path, std::span<SubVolumeAnswer const> answers,
                   RevUnits const& units) {
  write_whole_file(path, rev_csv(answers, units));
}

void write_rev_chart(std::filesystem::path const& path, std::string const& title,
                     std::span<SubVolumeAnswer const> answers, RevUnits const& units) {
  auto const unit = millidarcys(1.0, units.voxel_size_m);
  Chart const chart(answers, unit.value_or(1));
  SvgPicture svg(chart_left + chart_width + chart_right, chart.bottom() + chart_below, chart_left,
                 title);
  chart.add_frame(svg, units.of_conductivity ? "effective conductivity"
                       : unit                ? "permeability in mD"
                                             : "permeability in voxels squared");
  constexpr double between_axes = 10;
  auto const aside = [&](Axis axis) { return between_axes * static_cast<double>(index_of(axis)); };
  for (SubVolumeAnswer const& a : answers) {
    if (!a.answered()) continue;
    svg.add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\" fill-opacity=\"0.4\"/>\n",
            chart.x(static_cast<double>(a.where.edge)) + aside(a.axis), chart.y(a.value),
            svg_palette[index_of(a.axis)]);
  }
  std::optional<Axis> named;
  for (RevStatistics const& s : statistics_of(answers)) {
    char const* const colour = svg_palette[index_of(s.axis)];
    add_summary(svg, chart, s, colour, aside(s.axis));
    if (named == s.axis) continue;
    named = s.axis;
    svg.add_legend(chart_left + 170 * static_cast<double>(index_of(s.axis)), colour,
                   fmt::format("{}: median, quartiles", name_of(s.axis)));
  }
  write_whole_file(path, svg.finished());
}

void print_rev(std::span<RevStatistics const> statistics, RevUnits const& units) {
  auto const unit = millidarcys(1.0, units.voxel_size_m);
  if (units.of_conductivity) {
    fmt::print(
        "axis  edge  cubes  open  conducting          D median  quartiles                 D mean"
        "  spread   over the largest of a voxel, {:g}\n",
        units.largest);
  } else {
    fmt::print(
        "axis  edge  cubes  open  porosity            k median  quartiles                 k mean"
        "  spread   in {}\n",
        unit ? "mD" : "voxels squared");
  }
  double const factor = units.of_conductivity ? 1 / units.largest : unit.value_or(1);
  for (RevStatistics const& s : statistics) {
    fmt::print(
        "{:>4} {:>5} {:>6} {:>5}  {:.4f} +- {:.4f}  {:>11.5g}  {:<11.5g} {:<11.5g} {:>10.5g} "
        "{:>6.0f} %\n",
        name_of(s.axis), s.edge, s.samples, s.leading_through, s.porosity, s.porosity_spread,
        factor * s.median, factor * s.lower, factor * s.upper, factor * s.mean, 100 * s.spread);
  }
}

}  // namespace tessera
