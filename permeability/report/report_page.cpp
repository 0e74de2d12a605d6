// SPDX-License-Identifier: MIT
#include "permeability/report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "io/atomic_file.hpp"
#include "io/images/png_image.hpp"
#include "io/results/svg.hpp"
#include "io/shell_words.hpp"
#include "models/lattice/units.hpp"
#include "permeability/report/report.hpp"

namespace tessera {
namespace {

constexpr std::int64_t most_pixels = 512;  ///< along a side: of a larger image, every n-th voxel

using Colour = std::array<std::uint8_t, 3>;
constexpr Colour solid_colour{170, 170, 170};

/// From dark to bright and told apart by the colour-blind too: viridis (van der Walt, Smith 2015)
/// in nine steps, straight in between.
Colour viridis(double part) {
  constexpr std::array<Colour, 9> steps{{{68, 1, 84},
                                         {71, 44, 122},
                                         {59, 81, 139},
                                         {44, 113, 142},
                                         {33, 144, 141},
                                         {39, 173, 129},
                                         {92, 200, 99},
                                         {170, 220, 50},
                                         {253, 231, 37}}};
  double const at = std::clamp(part, 0.0, 1.0) * (steps.size() - 1);
  auto const lower = std::min(static_cast<std::size_t>(at), steps.size() - 2);
  double const beyond = at - static_cast<double>(lower);
  Colour colour{};
  for (std::size_t c = 0; c < 3; ++c)
    colour[c] = static_cast<std::uint8_t>(
        std::lround((1 - beyond) * steps[lower][c] + beyond * steps[lower + 1][c]));
  return colour;
}

double speed_at(StateFields const& fields, std::size_t voxel) {
  auto const u = fields.velocity().subspan(3 * voxel, 3);
  return std::sqrt(double{u[0]} * u[0] + double{u[1]} * u[1] + double{u[2]} * u[2]);
}

/// The fluid has a density everywhere, and solid none.
bool is_pore(StateFields const& fields, std::size_t voxel) { return fields.density()[voxel] > 0; }

/// A speed that all but one pore voxel in a hundred stay below.
double usual_most(StateFields const& fields) {
  double largest = 0;
  std::size_t const voxels = fields.density().size();
  for (std::size_t v = 0; v < voxels; ++v) largest = std::max(largest, speed_at(fields, v));
  if (!(largest > 0)) return 1;
  std::array<std::int64_t, 1000> counts{};
  std::int64_t pore = 0;
  for (std::size_t v = 0; v < voxels; ++v) {
    if (!is_pore(fields, v)) continue;
    ++pore;
    ++counts[std::min(static_cast<std::size_t>(speed_at(fields, v) / largest * counts.size()),
                      counts.size() - 1)];
  }
  std::int64_t below = 0;
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    below += counts[bin];
    if (100 * below >= 99 * pore)
      return largest * static_cast<double>(bin + 1) / static_cast<double>(counts.size());
  }
  return largest;
}

/// Voxels of the middle along `normal`, coloured by their speed.
std::string slice(StateFields const& fields, Int3 shape, Axis normal, double full_scale) {
  Axis const across = normal == Axis::x ? Axis::y : Axis::x;
  Axis const down = normal == Axis::z ? Axis::y : Axis::z;
  std::int64_t const every = (std::max(shape[across], shape[down]) + most_pixels - 1) / most_pixels;
  std::vector<std::uint8_t> pixels;
  Int3 at{};
  at[normal] = shape[normal] / 2;
  for (at[down] = 0; at[down] < shape[down]; at[down] += every) {
    for (at[across] = 0; at[across] < shape[across]; at[across] += every) {
      std::size_t const voxel = linear_index(shape, at);
      Colour const colour =
          is_pore(fields, voxel) ? viridis(speed_at(fields, voxel) / full_scale) : solid_colour;
      pixels.insert(pixels.end(), colour.begin(), colour.end());
    }
  }
  return png_address(pixels, static_cast<int>((shape[across] + every - 1) / every));
}

std::string row(std::string const& name, std::string const& value) {
  return fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", svg_escaped(name), svg_escaped(value));
}

/// k with all errors, in the largest unit there is.
std::string k_rows(Results const& results) {
  double const unit = millidarcys(1.0, results.image.voxel_size_m).value_or(1);
  char const* const name = results.image.voxel_size_m ? "mD" : "voxels²";
  bool const thresholds = std::ranges::any_of(
      results.permeability, [](auto const& found) { return found && found->thresholds; });
  auto const between = [unit](auto const& of) {
    return fmt::format("{:.5g} … {:.5g}", unit * of->lower, unit * of->upper);
  };
  std::string rows = fmt::format(
      "<tr><th>axis</th><th>k, {}</th><th>k, m²</th><th>k, voxels²</th><th>solver's error</th>"
      "<th>left open by the voxels, {}</th>{}<th>percolating porosity</th><th>ended</th></tr>\n",
      name, name, thresholds ? fmt::format("<th>by the threshold, {}</th>", name) : "");
  for (Axis const axis : all_axes) {
    auto const& found = results.permeability[index_of(axis)];
    if (!found) continue;
    double const k = found->column_lattice[index_of(axis)];
    auto const edge = results.image.voxel_size_m;
    rows += fmt::format(
        "<tr><td>{}</td><td><b>{:.5g}</b></td><td>{}</td><td>{:.6g}</td><td>{}</td><td>{}</td>"
        "{}<td>{}</td><td>{}</td></tr>\n",
        name_of(axis), unit * k, edge ? fmt::format("{:.5g}", k * *edge * *edge) : "–", k,
        found->error_estimate ? fmt::format("± {:.2g} %", 100 * *found->error_estimate) : "unknown",
        found->voxels ? between(found->voxels) : "not asked for (--refine 2)",
        !thresholds         ? ""
        : found->thresholds ? fmt::format("<td>{}</td>", between(found->thresholds))
                            : "<td>–</td>",
        results.porosity.percolating[index_of(axis)]
            ? fmt::format("{:.4f}", *results.porosity.percolating[index_of(axis)])
            : "–",
        svg_escaped(found->stop_reason));
  }
  return rows;
}

std::string machine_rows(Results const& results) {
  PerformanceResult const& p = results.performance;
  std::string rows = row("host", results.run.host) +
                     row("wall time", fmt::format("{:.3g} s", p.wall_seconds)) +
                     row("memory at most",
                         fmt::format("{:.3g} GB", 1e-9 * static_cast<double>(p.peak_memory_bytes)));
  for (auto const& [part, seconds] : p.parts) rows += row(part, fmt::format("{:.3g} s", seconds));
  if (p.steps > 0 && p.seconds > 0)
    rows += row("speed", fmt::format("{:.4g} million fluid nodes a second, {:.4g} GB/s", p.mflups,
                                     p.bandwidth_gbs));
  for (WorkerResult const& worker : p.workers) {
    std::string work;
    if (worker.tasks > 0) work += fmt::format("{} tasks, ", worker.tasks);
    if (worker.passes > 0) work += fmt::format("{} passes, ", worker.passes);
    rows += row(worker.name, fmt::format("{}{:.3g} s at work, {:.3g} s waiting", work,
                                         worker.busy_s, worker.waiting_s));
  }
  return rows;
}

/// What the flows went by: of several solvers, each with its axes.
std::string counted_in(Results const& results) {
  std::string of_steps, of_iterations;
  for (Axis const axis : all_axes) {
    auto const& found = results.permeability[index_of(axis)];
    if (!found) continue;
    std::string& axes = found->solver.kind == Solver::minres ? of_iterations : of_steps;
    axes += axes.empty() ? "" : ", ";
    axes += name_of(axis);
  }
  if (of_steps.empty()) return "iterations";
  if (of_iterations.empty()) return "steps";
  return fmt::format("steps ({}), iterations ({})", of_steps, of_iterations);
}

constexpr char const* style =
    "body{font:15px/1.45 sans-serif;max-width:1180px;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:1em 0}th,td{border:1px solid #ccc;padding:.3em .6em;"
    "text-align:left;vertical-align:top}th{background:#f4f4f4;font-weight:normal}"
    "figure{display:inline-block;margin:.5em 1em .5em 0}figcaption{color:#555}"
    "img{image-rendering:pixelated;width:340px;border:1px solid #ccc}"
    "code{background:#f4f4f4;padding:.1em .3em;overflow-wrap:anywhere}.warning{color:#a00}";

}  // namespace

void ReportPage::add_flow(Axis axis, StateFields const& fields) {
  add_slices(axis, fields);
  add_distribution(axis, fields);
}

void ReportPage::add_slices(Axis axis, StateFields const& fields) {
  Slices slices{axis, usual_most(fields), {}};
  for (Axis const normal : {Axis::z, Axis::y, Axis::x})
    slices.pictures.push_back(slice(fields, shape_, normal, slices.full_scale));
  slices_.push_back(std::move(slices));
}

void ReportPage::add_distribution(Axis axis, StateFields const& fields) {
  constexpr double lowest = -1.5, highest = 10, bin_width = 0.05;
  std::vector<std::int64_t> counts(
      static_cast<std::size_t>(std::lround((highest - lowest) / bin_width)));
  double sum = 0;
  std::int64_t pore = 0;
  for (std::size_t v = 0; v < fields.density().size(); ++v) {
    if (!is_pore(fields, v)) continue;
    ++pore;
    sum += fields.velocity()[3 * v + index_of(axis)];
  }
  double const mean = sum / static_cast<double>(std::max<std::int64_t>(pore, 1));
  Curve curve{fmt::format("flow along {}", name_of(axis)), {}};
  if (mean != 0) {
    for (std::size_t v = 0; v < fields.density().size(); ++v) {
      if (!is_pore(fields, v)) continue;
      double const bin = (fields.velocity()[3 * v + index_of(axis)] / mean - lowest) / bin_width;
      if (bin >= 0 && bin < static_cast<double>(counts.size()))
        ++counts[static_cast<std::size_t>(bin)];
    }
    for (std::size_t b = 0; b < counts.size(); ++b)
      curve.points.emplace_back(
          lowest + (static_cast<double>(b) + 0.5) * bin_width,
          static_cast<double>(counts[b]) / (static_cast<double>(pore) * bin_width));
  }
  distributions_.push_back(std::move(curve));
}

void ReportPage::write(std::filesystem::path const& path, Results const& results,
                       std::span<ConvergenceSample const> history) const {
  ImageResult const& image = results.image;
  std::string const name = std::filesystem::path(image.path).filename().string();
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Permeability of "
      "{0}</title>"
      "<style>{1}</style></head>\n<body>\n<h1>Permeability of {0}</h1>\n",
      svg_escaped(name), style);
  auto const add = [&]<class... Values>(fmt::format_string<Values...> format, Values&&... values) {
    page += fmt::format(format, std::forward<Values>(values)...);
  };
  for (std::string const& warning : results.warnings)
    add("<p class=\"warning\">{}</p>\n", svg_escaped(warning));
  add("<table>\n{}</table>\n", k_rows(results));
  add("<p>The solver's error says how far the iteration is from its end; what the voxels leave "
      "open, how far "
      "the staircase of voxels may be from the rock.</p>\n");
  add("<h2>The sample</h2>\n<table>\n{}{}{}{}{}</table>\n", row("image", image.path),
      row("voxels", fmt::format("{} × {} × {}", image.shape.x, image.shape.y, image.shape.z)),
      row("edge of a voxel", image.voxel_size_m
                                 ? fmt::format("{:.6g} µm", 1e6 * *image.voxel_size_m)
                                 : "not known: k is in voxels²"),
      row("porosity", fmt::format("{:.6f}", results.porosity.total)),
      row("SHA-256 of the image", image.sha256));
  for (Slices const& slices : slices_) {
    add("<h3>Speed of the flow along {}</h3>\n<p>In the middle of the sample; grey is solid, from "
        "dark to bright: 0 to {:.3g} {}, "
        "which 99 % of the pore voxels stay below.</p>\n",
        name_of(slices.flow), slices.full_scale, image.voxel_size_m ? "m/s" : "lattice units");
    constexpr std::array planes{"x to the right, y down", "x to the right, z down",
                                "y to the right, z down"};
    for (std::size_t p = 0; p < slices.pictures.size(); ++p)
      add("<figure><img alt=\"slice\" src=\"{}\"><figcaption>{}</figcaption></figure>\n",
          slices.pictures[p], planes[p]);
  }
  double const unit = millidarcys(1.0, image.voxel_size_m).value_or(1);
  std::vector<Curve> k, errors;
  for (Axis const axis : all_axes) {
    Curve of_k{fmt::format("along {}", name_of(axis)), {}};
    Curve of_error = of_k;
    for (ConvergenceSample const& sample : history) {
      if (sample.axis != axis) continue;
      of_k.points.emplace_back(sample.step, unit * sample.k_lattice);
      if (sample.error_estimate) of_error.points.emplace_back(sample.step, *sample.error_estimate);
    }
    if (of_k.points.empty()) continue;
    k.push_back(std::move(of_k));
    errors.push_back(std::move(of_error));
  }
  std::string const count = counted_in(results);
  add("<h2>How it converged</h2>\n<figure>{}</figure><figure>{}</figure>\n",
      curve_chart({"Permeability", count, image.voxel_size_m ? "k, mD" : "k, voxels²"}, k),
      curve_chart({"Estimate of its relative error", count, "error", true}, errors));
  add("<h2>How fast the fluid moves</h2>\n<figure>{}</figure>\n",
      curve_chart({"Probability density of the velocity along the force",
                   "velocity over its mean in the pores", "density", true},
                  distributions_));
  add("<h2>What the machine did</h2>\n<table>\n{}</table>\n", machine_rows(results));
  add("<h2>To run it again</h2>\n<p><code>{}</code></p>\n<table>\n{}{}{}{}{}{}</table>\n",
      svg_escaped(shell_line(results.run.command_line)), row("in the folder", results.run.folder),
      row("started", results.run.started), row("lattice", results.flow.lattice),
      row("collision", results.flow.collision), row("precision", results.flow.precision),
      row("software", fmt::format("Tessera {} ({}), StarPU {}", results.software.version,
                                  results.software.commit, results.software.starpu)));
  page += "</body></html>\n";
  write_whole_file(path, page);
}

}  // namespace tessera
