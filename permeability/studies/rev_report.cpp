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

/// Places of permeabilities in the chart, on a logarithmic scale; 0 is placed on the axis.
class Chart {
 public:
  Chart(std::span<SubVolumeAnswer const> answers, double unit) : unit_(unit) {
    double least = 0, most = 0;
    for (SubVolumeAnswer const& a : answers) {
      widest_ = std::max(widest_, a.where.edge);
      double const k = a.k_lattice * unit;
      if (!(k > 0)) continue;
      least = least > 0 ? std::min(least, k) : k;
      most = std::max(most, k);
    }
    if (most > 0) {
      first_ = std::floor(std::log10(least));
      last_ = std::max(std::ceil(std::log10(most)), first_ + 1);
    }
  }
  double x(double edge) const {
    return chart_left + chart_width * edge / (1.1 * static_cast<double>(widest_));
  }
  double y(double k_lattice) const {
    double const share =
        k_lattice > 0 ? (std::log10(k_lattice * unit_) - first_) / (last_ - first_) : 0;
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
      x, chart.y(s.k_upper), chart.y(s.k_lower), colour, x - 8, chart.y(s.k_median) - 1.5);
}

}  // namespace

std::vector<RevStatistics> statistics_of(std::span<SubVolumeAnswer const> answers) {
  std::map<std::pair<Axis, std::int64_t>, std::vector<SubVolumeAnswer const*>> groups;
  for (SubVolumeAnswer const& a : answers) groups[{a.axis, a.where.edge}].push_back(&a);
  std::vector<RevStatistics> all;
  for (auto const& [of, group] : groups) {
    RevStatistics s{.axis = of.first, .edge = of.second};
    std::vector<double> k, porosity;
    for (SubVolumeAnswer const* const a : group) {
      ++s.samples;
      porosity.push_back(a->porosity);
      if (a->leads_through) ++s.leading_through;
      if (a->answered()) {
        k.push_back(a->k_lattice);
      } else {
        ++s.unanswered;
      }
    }
    std::ranges::sort(k);
    s.porosity = mean_of(porosity);
    s.porosity_spread = deviation_of(porosity);
    if (!k.empty()) {
      s.k_mean = mean_of(k);
      s.k_median = quantile(k, 0.5);
      s.k_lower = quantile(k, 0.25);
      s.k_upper = quantile(k, 0.75);
      if (s.k_mean > 0) s.k_spread = deviation_of(k) / s.k_mean;
    }
    all.push_back(s);
  }
  return all;
}

Json to_json(RevStatistics const& s, std::optional<double> voxel_size_m) {
  auto const in_md = [&](double k) { return or_null(millidarcys(k, voxel_size_m)); };
  return {{"axis", std::string(1, name_of(s.axis))},
          {"edge", s.edge},
          {"samples", s.samples},
          {"leading_through", s.leading_through},
          {"unanswered", s.unanswered},
          {"porosity", s.porosity},
          {"porosity_spread", s.porosity_spread},
          {"k_mean_lattice", s.k_mean},
          {"k_median_lattice", s.k_median},
          {"k_quartiles_lattice", {s.k_lower, s.k_upper}},
          {"k_mean_mD", in_md(s.k_mean)},
          {"k_median_mD", in_md(s.k_median)},
          {"k_quartiles_mD", {in_md(s.k_lower), in_md(s.k_upper)}},
          {"k_spread", s.k_spread}};
}

std::string rev_csv(std::span<SubVolumeAnswer const> answers, std::optional<double> voxel_size_m) {
  std::string text =
      "axis,edge,x,y,z,porosity,percolating_porosity,k_lattice,k_mD,error_estimate,iterations,"
      "state\n";
  for (SubVolumeAnswer const& a : answers) {
    auto const k = a.permeability();
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", name_of(a.axis), a.where.edge,
                    a.where.lower.x, a.where.lower.y, a.where.lower.z, a.porosity,
                    a.percolating_porosity, csv_number(k), csv_number(millidarcys(k, voxel_size_m)),
                    a.answered() ? csv_number(a.error_estimate) : "", a.iterations, a.state());
  }
  return text;
}

void write_rev_csv(std::filesystem::path const& path, std::span<SubVolumeAnswer const> answers,
                   std::optional<double> voxel_size_m) {
  write_whole_file(path, rev_csv(answers, voxel_size_m));
}

void write_rev_chart(std::filesystem::path const& path, std::string const& title,
                     std::span<SubVolumeAnswer const> answers, std::optional<double> voxel_size_m) {
  auto const unit = millidarcys(1.0, voxel_size_m);
  Chart const chart(answers, unit.value_or(1));
  SvgPicture svg(chart_left + chart_width + chart_right, chart.bottom() + chart_below, chart_left,
                 title);
  chart.add_frame(svg, unit ? "permeability in mD" : "permeability in voxels squared");
  constexpr double between_axes = 10;
  auto const aside = [&](Axis axis) { return between_axes * static_cast<double>(index_of(axis)); };
  for (SubVolumeAnswer const& a : answers) {
    if (!a.answered()) continue;
    svg.add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\" fill-opacity=\"0.4\"/>\n",
            chart.x(static_cast<double>(a.where.edge)) + aside(a.axis), chart.y(a.k_lattice),
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

void print_rev(std::span<RevStatistics const> statistics, std::optional<double> voxel_size_m) {
  auto const unit = millidarcys(1.0, voxel_size_m);
  fmt::print(
      "axis  edge  cubes  open  porosity            k median  quartiles                 k mean"
      "  spread   in {}\n",
      unit ? "mD" : "voxels squared");
  double const factor = unit.value_or(1);
  for (RevStatistics const& s : statistics) {
    fmt::print(
        "{:>4} {:>5} {:>6} {:>5}  {:.4f} +- {:.4f}  {:>11.5g}  {:<11.5g} {:<11.5g} {:>10.5g} "
        "{:>6.0f} %\n",
        name_of(s.axis), s.edge, s.samples, s.leading_through, s.porosity, s.porosity_spread,
        factor * s.k_median, factor * s.k_lower, factor * s.k_upper, factor * s.k_mean,
        100 * s.k_spread);
  }
}

}  // namespace tessera
