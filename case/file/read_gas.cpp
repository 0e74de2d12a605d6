// SPDX-License-Identifier: MIT
// A case of spectral differences, section by section.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>

#include "case/file/case_parts.hpp"
#include "case/file/case_words.hpp"
#include "case/file/gas_case.hpp"
#include "case/file/gas_words.hpp"
#include "models/spectral/mesh.hpp"
#include "models/spectral/points.hpp"
#include "run/spread/same_files.hpp"

namespace tessera {
namespace {

using spectral::BoundaryKind;

std::int32_t small_whole(SectionReader const& section, std::string_view key, double value) {
  constexpr double most = 1e6;
  if (value != std::floor(value) || value > most)
    section.refuse_value(key, fmt::format("whole numbers up to {}", most));
  return static_cast<std::int32_t>(value);
}

void read_box(SectionReader const& section, GasCase::Mesh& mesh) {
  auto const size = section.axes("box");
  mesh.dimension = static_cast<int>(size.size());
  auto const cells = section.axes("cells", size.size());
  auto const origin = section.axes("origin", size.size());
  for (std::size_t a = 0; a < size.size(); ++a) {
    mesh.size[a] = size[a];
    mesh.origin[a] = origin[a];
    mesh.cells[a] = small_whole(section, "cells", cells[a]);
  }
  if (section.given("periodic")) {
    for (std::string_view const axis : section.words("periodic")) {
      auto const a = index_of(named(axis_names, axis).value());
      if (a >= size.size())
        section.refuse_value("periodic", "axes of the box, which has two: x and y");
      mesh.periodic[a] = true;
    }
  }
}

/// Makes nx, ny, nz and lx, ly, lz usable in formulas.
void add_box(CaseReading& reading, GasCase::Mesh const& mesh) {
  for (Axis const a : all_axes) {
    std::size_t const i = index_of(a);
    if (std::cmp_greater_equal(i, mesh.dimension)) break;
    reading.constants.emplace_back(fmt::format("n{}", name_of(a)), mesh.cells[i]);
    reading.constants.emplace_back(fmt::format("l{}", name_of(a)), mesh.size[i]);
  }
}

GasCase::Mesh read_mesh(CaseReading& reading, std::filesystem::path const& folder) {
  SectionReader const section(reading, "mesh");
  GasCase::Mesh mesh;
  mesh.line = section.line();
  if (section.given("file") == section.given("box")) {
    section.refuse(section.given("file") ? "file" : "",
                   fmt::format("[mesh] with {}: expected either file, or box and cells",
                               section.given("file") ? "file and box" : "neither file nor box"));
  }
  if (section.given("file")) {
    section.allow_only({"file", "degree"}, "does not go with file");
    mesh.file = section.file("file", folder);
    expect_same_file_for_all(mesh.file);
  } else {
    read_box(section, mesh);
    add_box(reading, mesh);
  }
  read_formulas(reading);
  if (mesh.file.empty()) {
    if (section.given("bend")) {
      mesh.bend = section.space_axes("bend", static_cast<std::size_t>(mesh.dimension));
      mesh.map_degree = 3;
    }
    if (section.given("map-degree")) {
      mesh.map_degree = small_whole(section, "map-degree", section.number("map-degree"));
      if (mesh.map_degree > spectral::most_map_degree)
        section.refuse_value("map-degree", fmt::format("1 to {}", spectral::most_map_degree));
    }
  }
  mesh.degree = section.space("degree");
  mesh.line_of_degree = section.line("degree");
  if (!mesh.degree.varies()) {
    double const degree = mesh.degree.at(0, 0, 0);
    if (degree != std::floor(degree) || degree > spectral::most_degree)
      section.refuse_value("degree", fmt::format("a whole number from 0 to {}, or a formula",
                                                 spectral::most_degree));
  }
  return mesh;
}

GasCase::Gas read_gas(CaseReading const& reading) {
  SectionReader const section(reading, "gas");
  GasCase::Gas gas{.gamma = section.number("gamma"), .r = section.number_if_given("R")};
  if (gas.gamma <= 1) section.refuse_value("gamma", "more than 1");
  return gas;
}

GasCase::Model read_gas_model(CaseReading const& reading) {
  SectionReader const section(reading, "model");
  GasCase::Model const model{.riemann = section.word_in(riemann_names, "riemann"),
                             .entropy_fix = section.number("entropy-fix"),
                             .precision = section.word_in(gas_precision_names, "precision")};
  if (model.entropy_fix > 0 && model.riemann != spectral::RiemannSolver::roe)
    section.refuse("entropy-fix", "'entropy-fix' belongs to riemann = roe: expected no such key");
  return model;
}

/// The number of a mesh's axes, or of the velocity's where a file is to say it.
std::size_t axes_of(GasCase::Mesh const& mesh, SectionReader const& section,
                    std::string_view velocity) {
  if (mesh.file.empty()) return static_cast<std::size_t>(mesh.dimension);
  return section.given(velocity) ? section.count_of(velocity) : 3;
}

GasCase::State read_state(SectionReader const& section, GasCase::Mesh const& mesh) {
  return {.density = section.space("density"),
          .velocity = section.space_axes("velocity", axes_of(mesh, section, "velocity")),
          .pressure = section.space("pressure")};
}

/// Formulas of the time are taken at time 0.
GasCase::State read_initial(CaseReading reading, GasCase::Mesh const& mesh) {
  reading.constants.emplace_back("t", 0);
  return read_state(SectionReader(reading, "initial"), mesh);
}

GasCase::Boundary read_boundary(SectionReader const& section, GasCase::Mesh const& mesh) {
  GasCase::Boundary boundary;
  boundary.line = section.line();
  boundary.on = section.texts("on");
  boundary.kind = section.word_in(gas_boundary_names, "type");
  std::string const why = fmt::format("does not belong to type = {}", section.word("type"));
  switch (boundary.kind) {
    case BoundaryKind::slip_wall:
      section.allow_only({"on", "type"}, why);
      break;
    case BoundaryKind::outlet:
      section.allow_only({"on", "type", "pressure"}, why);
      boundary.state.pressure = section.space("pressure");
      break;
    case BoundaryKind::far_field:
    case BoundaryKind::inlet:
      boundary.state = read_state(section, mesh);
      break;
  }
  return boundary;
}

std::vector<GasCase::Boundary> read_gas_boundaries(CaseReading const& reading,
                                                   GasCase::Mesh const& mesh) {
  std::vector<GasCase::Boundary> boundaries;
  std::vector<std::string> taken;
  for (SectionReader const& section : SectionReader::all(reading, "boundary")) {
    boundaries.push_back(read_boundary(section, mesh));
    for (std::string const& name : boundaries.back().on) {
      if (std::ranges::find(taken, name) != taken.end())
        section.refuse("on", fmt::format("'{}' has a condition already: expected one", name));
      taken.push_back(name);
    }
  }
  return boundaries;
}

GasCase::Time read_time(CaseReading const& reading) {
  SectionReader const section(reading, "time");
  GasCase::Time const time{.integrator = section.word_in(integrator_names, "integrator"),
                           .cfl = section.number("cfl"),
                           .dt = section.number_if_given("dt"),
                           .exact = section.flag("exact")};
  if (time.dt && (section.given("cfl") || section.given("exact"))) {
    section.refuse(section.given("cfl") ? "cfl" : "exact",
                   "a fixed dt has no cfl and is exact: expected either of them");
  }
  return time;
}

GasCase::Stop read_gas_stop(CaseReading const& reading) {
  SectionReader const section(reading, "stop");
  GasCase::Stop stop{.time = section.number_if_given("time"), .steps = {}};
  if (section.given("steps")) stop.steps = section.whole("steps");
  if (!stop.time && !stop.steps) {
    section.refuse("",
                   "nothing says when to stop: expected [stop] with time = 10, or steps = 480, or "
                   "both");
  }
  return stop;
}

GasCase::Exact read_exact(SectionReader const& section, GasCase::Mesh const& mesh) {
  return {.density = section.field("density"),
          .velocity = section.field_axes("velocity", axes_of(mesh, section, "velocity")),
          .pressure = section.field("pressure")};
}

GasCase::Output read_gas_output(CaseReading const& reading, GasCase::Mesh const& mesh) {
  GasCase::Output output;
  output.records_every = SectionReader(reading, "output").whole("records-every");
  output.fields = read_schedule(SectionReader(reading, "output.fields"));
  SectionReader const exact(reading, "output.exact");
  if (exact.there()) output.exact = read_exact(exact, mesh);
  for (SectionReader const& section : SectionReader::all(reading, "output.probe")) {
    Case::Probe probe{.name = read_name(section), .at = {}, .every = section.steps("every")};
    auto const at = section.axes("at", axes_of(mesh, section, "at"));
    std::ranges::copy(at, probe.at.begin());
    if (std::ranges::find(output.probes, probe.name, &Case::Probe::name) != output.probes.end())
      section.refuse_value("name", "a name that no other probe has");
    output.probes.push_back(probe);
  }
  output.checkpoint = read_checkpoint(reading);
  return output;
}

}  // namespace

GasCase read_gas_case(std::filesystem::path const& path, std::vector<std::string> const& overrides,
                      std::filesystem::path const& other_folder) {
  CaseReading reading = begin_reading(path, overrides, CaseMethod::spectral);
  std::filesystem::path const folder = other_folder.empty() ? path.parent_path() : other_folder;
  GasCase c;
  c.file = path;
  c.overrides = overrides;
  c.input = reading.root;
  SectionReader const top(reading, "");
  if (top.given("title")) c.title = top.text("title");
  c.constants = read_constants(reading);
  c.mesh = read_mesh(reading, folder);
  c.gas = read_gas(reading);
  c.model = read_gas_model(reading);
  c.initial = read_initial(reading, c.mesh);
  c.boundaries = read_gas_boundaries(reading, c.mesh);
  c.time = read_time(reading);
  c.stop = read_gas_stop(reading);
  c.output = read_gas_output(reading, c.mesh);
  c.insitu = read_insitu(reading, folder);
  c.run = read_run(reading);
  return c;
}

std::variant<Case, GasCase> read_any_case(std::filesystem::path const& path,
                                          std::vector<std::string> const& overrides) {
  if (method_of_case(path) == CaseMethod::spectral) return read_gas_case(path, overrides);
  return read_case(path, overrides);
}

}  // namespace tessera
