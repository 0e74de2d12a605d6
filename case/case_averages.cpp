// SPDX-License-Identifier: MIT
#include "case/case_averages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "io/field_files.hpp"
#include "ranks/ranks.hpp"
#include "run/brick_writing.hpp"
#include "run/losses.hpp"
#include "run/next_multiple.hpp"
#include "run/shared_writing.hpp"
#include "run/whole_fields.hpp"

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
  // Of several processes, each has all sums and writes its share of the means.
  std::size_t const voxels =
      Ranks::alone() ? geometry.pore.size() : own_voxels(Bricks(geometry.shape));
  std::vector<float> velocity;
  std::vector<float> density;
  std::vector<float> stresses;
  std::vector<std::uint8_t> solid;
  auto const make_room = [&] {
    if (asked_.velocity) velocity.resize(3 * voxels);
    if (asked_.density) density.resize(voxels);
    if (asked_.reynolds_stresses) stresses.resize(6 * voxels);
    solid.resize(voxels, 1);
  };
  if (!all_well(why_not(make_room))) return;
  auto const put = [&](std::size_t to, std::size_t i) {
    if (geometry.pore[i] == 0) return;
    solid[to] = 0;
    if (!density.empty())
      density[to] = static_cast<float>(units.density_kg_m3 * (1 + part * density_[i]));
    if (velocity_.empty()) return;
    double mean[3];
    for (std::size_t a = 0; a < 3; ++a) {
      mean[a] = part * velocity_[3 * i + a];
      if (!velocity.empty()) velocity[3 * to + a] = static_cast<float>(speed * mean[a]);
    }
    if (stresses.empty()) return;
    for (std::size_t k = 0; k < factors.size(); ++k) {
      double const product = mean[factors[k][0]] * mean[factors[k][1]];
      stresses[6 * to + k] =
          static_cast<float>(speed * speed * (part * products_[6 * i + k] - product));
    }
  };
  if (Ranks::alone()) {
    for (std::size_t i = 0; i < voxels; ++i) put(i, i);
  } else {
    visit_own_voxels(geometry.shape, put);
  }
  std::vector<Field> fields;
  if (asked_.velocity) fields.push_back({"velocity", 3, std::span<float const>(velocity)});
  if (asked_.density) fields.push_back({"density", 1, std::span<float const>(density)});
  if (asked_.reynolds_stresses)
    fields.push_back({"reynolds_stresses", 6, std::span<float const>(stresses)});
  fields.push_back({"solid", 1, std::span<std::uint8_t const>(solid)});
  (Ranks::alone() ? write_fields : write_spread_fields)(path, geometry.shape, units.voxel_m,
                                                        fields);
}

}  // namespace tessera
