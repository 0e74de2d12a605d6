// SPDX-License-Identifier: MIT
#include "case/spectral/gas_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "io/json.hpp"
#include "run/next_multiple.hpp"

namespace tessera {
namespace {

/// Digits of all figures: errors of conservation show in the last ones only.
constexpr int all_digits = 17;

/// Whether a row is wanted now.
bool is_due(Table const& table, std::int64_t every, std::int64_t step, bool last) {
  return !table.has(step) && (last || step % every == 0);
}

}  // namespace

GasRecords::GasRecords(GasCase const& c, GasSetup const& setup, std::filesystem::path folder)
    : case_(c),
      setup_(setup),
      folder_(std::move(folder)),
      totals_{"records",
              {"step", "time", "dt", "mass", "momentum_x", "momentum_y", "momentum_z", "energy",
               "kinetic_energy", "entropy", "least_density", "least_pressure", "largest_mach"},
              {},
              all_digits},
      errors_{"errors",
              {"step", "time", "density_l2", "density_max", "velocity_l2", "velocity_max",
               "pressure_l2", "pressure_max"},
              {},
              all_digits} {
  for (Case::Probe const& probe : c.output.probes) {
    auto const place = find_place(setup.of.mesh, probe.at);
    if (!place) {
      throw BadInput(fmt::format(
          "{}: [[output.probe]] {}: ({:.6g}, {:.6g}, {:.6g}) lies in no element: expected a place "
          "in the mesh",
          c.file.string(), probe.name, probe.at[0], probe.at[1], probe.at[2]));
    }
    places_.push_back(*place);
    probes_.push_back(
        {probe.name, {"step", "time", "density", "pressure", "ux", "uy", "uz"}, {}, all_digits});
  }
}

std::int64_t GasRecords::next_measurement_after(std::int64_t step) const {
  return next_multiple(case_.output.records_every, step);
}

std::int64_t GasRecords::next_state_after(std::int64_t step) const {
  std::int64_t next = never;
  if (auto const& every = case_.output.fields.every) next = next_multiple(*every, step);
  for (Case::Probe const& probe : case_.output.probes)
    next = std::min(next, next_multiple(probe.every, step));
  return next;
}

void GasRecords::add_measurement(std::int64_t step, spectral::GasMeasurement const& measured) {
  if (totals_.has(step)) return;
  auto const at = static_cast<double>(step);
  // Where a state is measured some steps later, the length of its last step is no longer known.
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  double const dt = step > 0 && measured.dt == 0 ? unknown : measured.dt;
  spectral::GasIntegrals const& sums = measured.integrals;
  double const(&q)[spectral::variables] = sums.conserved;
  totals_.rows.push_back({at, measured.time, dt, q[spectral::density], q[spectral::momentum],
                          q[spectral::momentum + 1], q[spectral::momentum + 2], q[spectral::energy],
                          sums.kinetic_energy, sums.entropy, measured.extremes.least_density,
                          measured.extremes.least_pressure, measured.extremes.largest_mach});
  if (!case_.output.exact) return;
  GasErrors const e = errors_of(measured);
  errors_.rows.push_back({at, measured.time, e.density.l2, e.density.largest, e.velocity.l2,
                          e.velocity.largest, e.pressure.l2, e.pressure.largest});
}

void GasRecords::add_state(std::int64_t step, double time, GasState const& state) {
  put_state(step, time, state, false);
}

void GasRecords::add_last_state(std::int64_t step, double time, GasState const& state) {
  put_state(step, time, state, true);
}

void GasRecords::put_state(std::int64_t step, double time, GasState const& state, bool last) {
  if (!Ranks::is_root()) return;
  auto const at = static_cast<double>(step);
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    if (!is_due(probes_[i], case_.output.probes[i].every, step, last)) continue;
    auto const found = primitive(state_at(state, places_[i]), setup_.of.gas);
    probes_[i].rows.push_back({at, time, found.density, found.pressure, found.velocity[0],
                               found.velocity[1], found.velocity[2]});
  }
  auto const& every = case_.output.fields.every;
  if (!last && step > 0 && every && step % *every == 0) add_fields(step, state);
}

void GasRecords::add_fields(std::int64_t step, GasState const& state) {
  write_fields(fmt::format("fields-{}", step), state);
}

void GasRecords::write_fields(std::string const& name, GasState const& state) {
  std::filesystem::path const file = folder_ / (name + ".vtkhdf");
  losses_.attempt(file.string(), [&] {
    if (!fields_) fields_.emplace(setup_.of.mesh, all_elements(setup_.of.mesh), case_.gas.r);
    fields_->take(state);
    fields_->write(file);
  });
}

std::vector<Table const*> GasRecords::tables() const {
  std::vector<Table const*> all{&totals_};
  if (case_.output.exact) all.push_back(&errors_);
  for (Table const& probe : probes_) all.push_back(&probe);
  return all;
}

void GasRecords::write(GasState const* last_state) {
  for (Table const* table : tables())
    losses_.attempt((folder_ / (table->name + ".csv")).string(), [&] { table->write(folder_); });
  if (last_state != nullptr && case_.output.fields.last) write_fields("fields", *last_state);
}

Json GasRecords::save(CheckpointWriter& writer) const {
  Json columns = Json::object();
  for (Table const* table : tables()) {
    writer.add_array("table " + table->name, table->values());
    columns[table->name] = table->header;
  }
  return {{"tables", columns}};
}

void GasRecords::restore(CheckpointReader const& checkpoint, SavedValues const& saved,
                         std::int64_t step) {
  Json const& columns = saved.json("tables");
  auto const take = [&](Table& table) {
    if (!columns.contains(table.name) || columns[table.name] != Json(table.header)) return;
    if (!table.take_values(checkpoint.doubles("table " + table.name), step))
      saved.refuse(fmt::format("'{}' has no rows of steps up to {}", table.name, step));
  };
  take(totals_);
  take(errors_);
  for (Table& probe : probes_) take(probe);
}

GasErrors errors_of(spectral::GasMeasurement const& measured) {
  double const(&squares)[spectral::variables] = measured.integrals.squared_errors;
  double const(&largest)[spectral::variables] = measured.extremes.largest_errors;
  auto const norms = [&](int first, int behind) {
    GasErrors::Norms n;
    for (int v = first; v < behind; ++v) {
      n.l2 += squares[v];
      n.largest = std::max(n.largest, largest[v]);
    }
    n.l2 = std::sqrt(n.l2 / measured.integrals.volume);
    return n;
  };
  return {.density = norms(0, 1), .velocity = norms(1, 4), .pressure = norms(4, 5)};
}

}  // namespace tessera
