// SPDX-License-Identifier: MIT
#include "case/lattice/case_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "base/ranks/ranks.hpp"
#include "io/json.hpp"
#include "run/fields/shared_writing.hpp"
#include "run/fields/spread_fields.hpp"
#include "run/fields/state_fields.hpp"
#include "run/next_multiple.hpp"

namespace tessera {
namespace {

bool is_due(Case::Schedule const& s, std::int64_t step) {
  if (s.every && step > 0 && step % *s.every == 0) return true;
  return std::ranges::binary_search(s.at, step);
}

std::int64_t next_after(Case::Schedule const& s, std::int64_t step) {
  auto const at = std::ranges::upper_bound(s.at, step);
  std::int64_t const listed = at == s.at.end() ? never : *at;
  return std::min(listed, s.every ? next_multiple(*s.every, step) : never);
}

Case::Double3 place_on(Case::Line const& line, std::int64_t point) {
  double const part =
      line.points > 1 ? static_cast<double>(point) / static_cast<double>(line.points - 1) : 0;
  Case::Double3 place;
  for (std::size_t a = 0; a < 3; ++a) place[a] = line.from[a] + part * (line.to[a] - line.from[a]);
  return place;
}

/// From that about the corner of the box.
std::array<double, 3> torque_about(Case::Double3 const& place, WallForce const& wall) {
  std::array<double, 3> torque{};
  for (std::size_t a = 0; a < 3; ++a) {
    std::size_t const b = (a + 1) % 3;
    std::size_t const c = (a + 2) % 3;
    torque[a] = wall.torque[a] - (place[b] * wall.force[c] - place[c] * wall.force[b]);
  }
  return torque;
}

void take_rows(Table& table, CheckpointReader const& checkpoint, SavedValues const& tables,
               std::int64_t step) {
  if (!table.take_values(checkpoint.doubles("table-" + table.name), step))
    tables.refuse(fmt::format("'{}' has no rows of steps up to {}", table.name, step));
}

}  // namespace

std::optional<std::array<double, 3>> coefficients(Case::ForceOutput const& output,
                                                  std::array<double, 3> const& force) {
  if (!output.speed || !output.area) return std::nullopt;
  double const unit = 0.5 * *output.speed * *output.speed * *output.area;
  return std::array{force[0] / unit, force[1] / unit, force[2] / unit};
}

CaseRecords::CaseRecords(Case const& c, CaseSetup const& setup, std::filesystem::path folder)
    : case_(c),
      geometry_(setup.box.geometry),
      folder_(std::move(folder)),
      units_(field_units(c.fluid.viscosity, c.units)),
      condition_of_force_(setup.box.condition_of_force),
      last_forces_(c.output.forces.size()),
      last_torques_(c.output.forces.size()) {
  for (Case::Probe const& p : c.output.probes)
    probes_.push_back({p.name, {"step", "time", "density", "pressure", "ux", "uy", "uz"}, {}});
  for (Case::Line const& l : c.output.lines) {
    lines_.push_back(
        {l.name, {"step", "time", "x", "y", "z", "density", "pressure", "ux", "uy", "uz"}, {}});
  }
  for (Case::ForceOutput const& f : c.output.forces) {
    Table table{f.name, {"step", "time", "fx", "fy", "fz"}, {}};
    if (f.speed && f.area) table.header.insert(table.header.end(), {"cx", "cy", "cz"});
    if (f.about) table.header.insert(table.header.end(), {"tx", "ty", "tz"});
    forces_.push_back(std::move(table));
  }
  if (c.output.averages) averages_.emplace(*c.output.averages, geometry_);
}

Json CaseRecords::places() const {
  Json all = Json::object();
  for (Case::Probe const& p : case_.output.probes) all[p.name] = p.at;
  for (Case::Line const& l : case_.output.lines) all[l.name] = {l.from, l.to, l.points};
  for (Case::ForceOutput const& f : case_.output.forces)
    all[f.name] = {f.on.text, or_null(f.speed), or_null(f.area), or_null(f.about)};
  return all;
}

std::int64_t CaseRecords::next_state_after(std::int64_t step) const {
  std::int64_t next = next_after(case_.output.fields, step);
  for (Case::Probe const& p : case_.output.probes)
    next = std::min(next, next_multiple(p.every, step));
  for (Case::Line const& l : case_.output.lines)
    next = std::min(next, next_after(l.schedule, step));
  if (averages_) next = std::min(next, averages_->next_after(step));
  return next;
}

std::int64_t CaseRecords::next_force_after(std::int64_t step) const {
  std::int64_t next = never;
  for (Case::ForceOutput const& f : case_.output.forces)
    next = std::min(next, next_multiple(f.every, step));
  return next;
}

bool CaseRecords::wants_begin() const {
  if (averages_ && averages_->next_after(-1) == 0) return true;
  auto const lines = [](Case::Line const& l) { return is_due(l.schedule, 0); };
  return !probes_.empty() || is_due(case_.output.fields, 0) ||
         std::ranges::any_of(case_.output.lines, lines);
}

double CaseRecords::time_of(std::int64_t step) const {
  return static_cast<double>(step) * case_.units.step_s;
}

std::array<double, 5> CaseRecords::values_of(NodeState const& state) const {
  auto const [velocity, pressure, density] = node_fields<double>(state, units_);
  return {density, pressure, velocity[0], velocity[1], velocity[2]};
}

std::vector<double> CaseRecords::row_at(std::vector<double> first,
                                        std::optional<NodeState> const& state) const {
  std::array<double, 5> values{};
  values.fill(std::numeric_limits<double>::quiet_NaN());
  if (state) values = values_of(*state);
  first.insert(first.end(), values.begin(), values.end());
  return first;
}

void CaseRecords::add_state(std::int64_t step, FlowState const& state) {
  put_state(step, state, false);
}

void CaseRecords::add_last_state(std::int64_t step, FlowState const& state) {
  put_state(step, state, true);
}

void CaseRecords::put_state(std::int64_t step, FlowState const& state, bool last) {
  Case::Output const& output = case_.output;
  // All places are asked for at once.
  std::vector<FlowState::Place> places;
  std::vector<std::pair<Table*, std::vector<double>>> rows;  // as they begin
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    Case::Probe const& probe = output.probes[i];
    if ((!last && step % probe.every != 0) || probes_[i].has(step)) continue;
    places.push_back(probe.at);
    rows.push_back({&probes_[i], {static_cast<double>(step), time_of(step)}});
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    Case::Line const& line = output.lines[i];
    bool const due = is_due(line.schedule, step) || (last && line.schedule.last);
    if (!due || lines_[i].has(step)) continue;
    for (std::int64_t point = 0; point < line.points; ++point) {
      Case::Double3 const place = place_on(line, point);
      places.push_back(place);
      rows.push_back({&lines_[i], {static_cast<double>(step), time_of(step)}});
      for (double const x : place) rows.back().second.push_back(x * case_.units.voxel_m);
    }
  }
  if (!places.empty()) {
    auto const found = state.at(places);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].first->rows.push_back(row_at(std::move(rows[i].second), found[i]));
  }
  if (averages_) averages_->add(step, state);
  if (!last && is_due(output.fields, step)) write_fields_now(step, state);
}

void CaseRecords::write_last_fields(std::int64_t step, FlowState const& state) {
  if (case_.output.fields.last) {
    write_fields("fields", state);
  } else if (is_due(case_.output.fields, step)) {
    write_fields_now(step, state);
  }
}

void CaseRecords::write_fields_now(std::int64_t step, FlowState const& state) {
  write_fields(fmt::format("fields-{}", step), state);
}

void CaseRecords::add_forces(Measurement const& measurement, bool last) {
  if (measurement.wall_forces.empty()) return;
  CaseUnits const& units = case_.units;
  double const unit = units.density_kg_m3 * std::pow(units.voxel_m, 4) / std::pow(units.step_s, 2);
  for (std::size_t i = 0; i < forces_.size(); ++i) {
    Case::ForceOutput const& output = case_.output.forces[i];
    WallForce const& wall = measurement.wall_forces[condition_of_force_[i]];
    std::ranges::copy(wall.force, last_forces_[i].begin());
    if (output.about) last_torques_[i] = torque_about(*output.about, wall);
    if (!last && measurement.step % output.every != 0) continue;
    if (forces_[i].has(measurement.step)) continue;
    std::vector<double> row{static_cast<double>(measurement.step), time_of(measurement.step)};
    for (double const f : last_forces_[i]) row.push_back(unit * f);
    if (auto const c = coefficients(output, last_forces_[i]))
      row.insert(row.end(), c->begin(), c->end());
    if (output.about) {
      for (double const t : last_torques_[i]) row.push_back(unit * units.voxel_m * t);
    }
    forces_[i].rows.push_back(std::move(row));
  }
}

std::string CaseRecords::with_ending(std::string const& name) const {
  return fmt::format("{}.{}", name, name_in(field_format_names, case_.output.fields_format));
}

void CaseRecords::write_fields(std::string const& name, FlowState const& state) {
  std::filesystem::path const file = folder_ / with_ending(name);
  losses_.attempt_together(file.string(), [&] { write_state(file, state); });
}

void CaseRecords::write_state(std::filesystem::path const& file, FlowState const& state) const {
  if (Ranks::alone()) return state.fields(units_).write(file);
  std::optional<SpreadFields> fields;
  if (!all_well(why_not([&] { fields.emplace(geometry_.shape, Int3{}, units_, false); }))) return;
  fields->take([&](SpreadFields::Visit const& visit) {
    state.visit_rows(
        [&](Int3 at, std::span<std::uint8_t const> pore, std::span<NodeState const> nodes) {
          for (std::size_t i = 0; i < pore.size(); ++i, ++at.x) {
            if (pore[i] != 0) visit(at, -1, nodes[i]);
          }
        });
  });
  fields->write(file);
}

void CaseRecords::write() {
  for (auto const* tables : {&probes_, &lines_, &forces_}) {
    for (Table const& table : *tables)
      losses_.attempt((folder_ / table.name).string(), [&] { table.write(folder_); });
  }
  if (!averages_ || averages_->states() == 0) return;
  std::filesystem::path const file = folder_ / with_ending("averages");
  losses_.attempt_together(file.string(), [&] { averages_->write(file, case_.units); });
}

Json CaseRecords::save(CheckpointWriter& writer) const {
  Json saved{{"last_forces", last_forces_},
             {"last_torques", last_torques_},
             {"places", places()},
             {"tables", Json::object()}};
  for (auto const* tables : {&probes_, &lines_, &forces_}) {
    for (Table const& table : *tables) {
      saved["tables"][table.name] = table.header;
      writer.add_array("table-" + table.name, table.values());
    }
  }
  if (averages_) saved["averages"] = averages_->save();
  return saved;
}

std::vector<SpreadArray> CaseRecords::spread_arrays() const {
  return averages_ ? averages_->sums() : std::vector<SpreadArray>{};
}

void CaseRecords::restore(CheckpointReader const& checkpoint, SavedValues const& saved,
                          std::int64_t step) {
  SavedValues const of_tables = saved.object("tables");
  Json const are = places();
  Json const were = saved.has("places") ? saved.object("places").all() : are;
  for (auto* tables : {&probes_, &lines_, &forces_}) {
    for (Table& table : *tables) {
      if (!of_tables.has(table.name) || of_tables.json(table.name) != Json(table.header)) continue;
      if (were.value(table.name, Json()) != are[table.name]) continue;
      take_rows(table, checkpoint, of_tables, step);
    }
  }
  auto const last_forces = saved.vectors("last_forces");
  auto const last_torques = saved.vectors("last_torques");
  if (last_forces.size() != last_torques.size())
    saved.refuse("forces and torques are not of the same number");
  if (last_forces.size() == last_forces_.size()) {
    last_forces_ = last_forces;
    last_torques_ = last_torques;
  }
  if (averages_ && saved.has("averages"))
    averages_->restore(checkpoint, saved.object("averages"), step);
}

void CaseRecords::keep_apart(CheckpointReader const& checkpoint, SavedValues const& saved,
                             std::int64_t step) const {
  SavedValues const of_tables = saved.object("tables");
  for (auto const& [name, header] : of_tables.all().items()) {
    bool const texts = header.is_array() && header.size() >= 2 &&
                       std::ranges::all_of(header, [](Json const& h) { return h.is_string(); });
    // The name becomes a file's.
    if (!texts || name.empty() || name.find('/') != std::string::npos)
      of_tables.refuse(fmt::format("'{}' is no table", name));
    Table table{name, header.get<std::vector<std::string>>(), {}};
    take_rows(table, checkpoint, of_tables, step);
    table.name = fmt::format("{}-until-{}", name, step);
    if (!table.rows.empty()) table.write(folder_);
  }
  std::error_code ignored;  // there may be none
  for (auto const& [ending, format] : field_format_names) {
    std::filesystem::rename(folder_ / fmt::format("averages.{}", ending),
                            folder_ / fmt::format("averages-until-{}.{}", step, ending), ignored);
  }
}

std::vector<std::optional<double>> CaseRecords::strouhal_numbers() const {
  std::vector<std::optional<double>> numbers;
  for (Case::Strouhal const& s : case_.output.strouhal) {
    // Names are unique.
    auto const probe = std::ranges::find(probes_, s.of, &Table::name);
    bool const of_probe = probe != probes_.end();
    Table const& table = of_probe ? *probe : *std::ranges::find(forces_, s.of, &Table::name);
    // A probe's velocity comes after density and pressure.
    std::size_t const column = s.signal == Case::Signal::density
                                   ? 2
                                   : (of_probe ? 4 : 2) + static_cast<std::size_t>(s.signal);
    std::vector<double> times;
    std::vector<double> values;
    for (auto const& row : table.rows) {
      if (row[0] < static_cast<double>(s.from)) continue;
      times.push_back(row[0]);
      values.push_back(row[column]);
    }
    auto const found = frequency(times, values);
    numbers.push_back(found ? std::optional(*found * s.length / s.speed) : std::nullopt);
  }
  return numbers;
}

}  // namespace tessera
