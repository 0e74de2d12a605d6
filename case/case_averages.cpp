// SPDX-License-Identifier: MIT
#include "case/case_averages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "io/field_files.hpp"
#include "run/next_multiple.hpp"

namespace tessera {
namespace {

/// Which velocities a component of the stresses is the product of.
constexpr std::array<std::array<std::size_t, 2>, 6> factors{
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

}  // namespace

CaseAverages::CaseAverages(Case::Averages const& asked, std::size_t voxels) : asked_(asked) {
  if (asked.density) density_.resize(voxels);
  if (asked.velocity || asked.reynolds_stresses) velocity_.resize(3 * voxels);
  if (asked.reynolds_stresses) products_.resize(6 * voxels);
}

std::int64_t CaseAverages::next_after(std::int64_t step) const {
  if (step < asked_.from) return asked_.from;
  return asked_.from + next_multiple(asked_.every, step - asked_.from);
}

void CaseAverages::add(std::int64_t step, FlowState const& state) {
  if (step <= last_ || step < asked_.from || (step - asked_.from) % asked_.every != 0) return;
  last_ = step;
  ++states_;
  for (std::size_t i = 0; i < state.nodes().size(); ++i) {
    NodeState const& node = state.nodes()[i];
    if (!density_.empty()) density_[i] += static_cast<double>(node.density_shift);
    if (velocity_.empty()) continue;
    double const u[3] = {node.velocity[0], node.velocity[1], node.velocity[2]};
    for (std::size_t a = 0; a < 3; ++a) velocity_[3 * i + a] += u[a];
    if (products_.empty()) continue;
    for (std::size_t k = 0; k < factors.size(); ++k)
      products_[6 * i + k] += u[factors[k][0]] * u[factors[k][1]];
  }
}

Json CaseAverages::described() const {
  return {asked_.from, asked_.every, density_.size(), velocity_.size(), products_.size()};
}

Json CaseAverages::save(CheckpointWriter& writer) const {
  writer.add_array("averages-density", density_);
  writer.add_array("averages-velocity", velocity_);
  writer.add_array("averages-products", products_);
  return {{"of", described()}, {"states", states_}, {"last", last_}};
}

void CaseAverages::restore(CheckpointReader const& checkpoint, SavedValues const& saved) {
  if (saved.json("of") != described()) return;
  std::int64_t const states = saved.whole("states");
  std::int64_t const last = saved.whole("last", -1);
  auto const sums = [&](char const* name, std::vector<double>& of) {
    std::vector<double> found = checkpoint.doubles(name);
    if (found.size() != of.size()) saved.refuse(fmt::format("'{}' is of another size", name));
    of = std::move(found);
  };
  sums("averages-density", density_);
  sums("averages-velocity", velocity_);
  sums("averages-products", products_);
  states_ = states;
  last_ = last;
}

void CaseAverages::write(std::filesystem::path const& path, Geometry const& geometry,
                         CaseUnits const& units) const {
  double const speed = units.voxel_m / units.step_s;
  double const part = 1 / static_cast<double>(states_);
  std::size_t const voxels = geometry.pore.size();
  std::vector<float> velocity(velocity_.size());
  std::vector<float> density(density_.size());
  std::vector<float> stresses(products_.size());
  std::vector<std::uint8_t> solid(voxels, 1);
  for (std::size_t i = 0; i < voxels; ++i) {
    if (geometry.pore[i] == 0) continue;
    solid[i] = 0;
    if (!density.empty())
      density[i] = static_cast<float>(units.density_kg_m3 * (1 + part * density_[i]));
    if (velocity.empty()) continue;
    double mean[3];
    for (std::size_t a = 0; a < 3; ++a) {
      mean[a] = part * velocity_[3 * i + a];
      velocity[3 * i + a] = static_cast<float>(speed * mean[a]);
    }
    if (stresses.empty()) continue;
    for (std::size_t k = 0; k < factors.size(); ++k) {
      double const product = mean[factors[k][0]] * mean[factors[k][1]];
      stresses[6 * i + k] =
          static_cast<float>(speed * speed * (part * products_[6 * i + k] - product));
    }
  }
  std::vector<Field> fields;
  if (asked_.velocity) fields.push_back({"velocity", 3, std::span<float const>(velocity)});
  if (asked_.density) fields.push_back({"density", 1, std::span<float const>(density)});
  if (asked_.reynolds_stresses)
    fields.push_back({"reynolds_stresses", 6, std::span<float const>(stresses)});
  fields.push_back({"solid", 1, std::span<std::uint8_t const>(solid)});
  write_fields(path, geometry.shape, units.voxel_m, fields);
}

}  // namespace tessera
