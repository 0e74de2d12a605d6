// SPDX-License-Identifier: MIT
#include "case/lattice/case_averages.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "base/ranks/ranks.hpp"
#include "io/fields/field_files.hpp"
#include "io/json.hpp"
#include "run/fields/brick_owners.hpp"
#include "run/fields/brick_writing.hpp"
#include "run/fields/shared_writing.hpp"
#include "run/fields/whole_fields.hpp"
#include "run/losses.hpp"
#include "run/next_multiple.hpp"

namespace tessera {
namespace {

/// Which velocities a component of the stresses is the product of.
constexpr std::array<std::array<std::size_t, 2>, 6> factors{
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

/// All ranks: value(voxel of the own layers, component) where there is pore, as it is written: of
/// one process as it stands, of several in the own bricks. Nothing if one has no memory for it;
/// throws then on the first rank.
template <class Value, class Of>
std::optional<std::vector<Value>> for_file(SpreadGeometry const& geometry, std::size_t components,
                                           Value in_solid, Of const& value) {
  std::vector<std::uint8_t> const& pore = geometry.own.pore;
  std::vector<Value> in_layers;
  std::vector<Value> in_bricks;
  auto const make = [&] {
    in_layers.resize(components * pore.size(), in_solid);
    for (std::size_t i = 0; i < pore.size(); ++i) {
      for (std::size_t k = 0; k < components && pore[i] != 0; ++k)
        in_layers[components * i + k] = value(i, k);
    }
    if (!Ranks::alone()) in_bricks.resize(components * own_voxels(Bricks(geometry.shape)));
  };
  if (!all_well(why_not(make))) return std::nullopt;
  if (Ranks::alone()) return in_layers;
  layers_to_bricks(geometry.shape, geometry.layers, components * sizeof(Value),
                   std::as_bytes(std::span(in_layers)),
                   std::as_writable_bytes(std::span(in_bricks)));
  return in_bricks;
}

}  // namespace

CaseAverages::CaseAverages(Case::Averages const& asked, SpreadGeometry const& geometry)
    : asked_(asked), geometry_(geometry) {
  std::size_t const voxels = geometry.own.pore.size();
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
  auto const voxels = static_cast<std::size_t>(volume(geometry_.shape));
  bool const velocity = asked_.velocity || asked_.reynolds_stresses;
  return {asked_.from, asked_.every, asked_.density ? voxels : 0, velocity ? 3 * voxels : 0,
          asked_.reynolds_stresses ? 6 * voxels : 0};
}

Json CaseAverages::save() const {
  return {{"of", described()}, {"states", states_}, {"last", last_}};
}

std::vector<SpreadArray> CaseAverages::sums() const {
  return {{"averages-density", std::span(density_)},
          {"averages-velocity", std::span(velocity_)},
          {"averages-products", std::span(products_)}};
}

void CaseAverages::restore(CheckpointReader const& checkpoint, SavedValues const& saved,
                           std::int64_t step) {
  if (saved.json("of") != described()) return;
  std::int64_t const last = saved.whole("last", -1, step);
  bool const has_some = last >= asked_.from;
  std::int64_t const most = has_some ? (last - asked_.from) / asked_.every + 1 : 0;
  std::int64_t const states = saved.whole("states", has_some ? 1 : 0, most);
  auto const sums = [&](char const* name, std::vector<double>& of) {
    if (!restore_spread_array(checkpoint, name, std::span(of)))
      saved.refuse(fmt::format("'{}' is of another size", name));
  };
  sums("averages-density", density_);
  sums("averages-velocity", velocity_);
  sums("averages-products", products_);
  states_ = states;
  last_ = last;
}

void CaseAverages::write(std::filesystem::path const& path, CaseUnits const& units) const {
  double const speed = units.voxel_m / units.step_s;
  double const part = 1 / static_cast<double>(states_);
  auto const mean = [&](std::size_t i, std::size_t a) { return part * velocity_[3 * i + a]; };
  std::vector<std::vector<float>> means;
  std::vector<Field> fields;
  auto const add = [&](char const* name, int components, auto const& value) {
    auto values = for_file(geometry_, static_cast<std::size_t>(components), 0.0F, value);
    if (!values) return false;
    means.push_back(*std::move(values));
    fields.push_back({name, components, std::span<float const>(means.back())});
    return true;
  };
  if (asked_.velocity && !add("velocity", 3, [&](std::size_t i, std::size_t a) {
        return static_cast<float>(speed * mean(i, a));
      }))
    return;
  if (asked_.density && !add("density", 1, [&](std::size_t i, std::size_t) {
        return static_cast<float>(units.density_kg_m3 * (1 + part * density_[i]));
      }))
    return;
  if (asked_.reynolds_stresses && !add("reynolds_stresses", 6, [&](std::size_t i, std::size_t k) {
        double const product = mean(i, factors[k][0]) * mean(i, factors[k][1]);
        return static_cast<float>(speed * speed * (part * products_[6 * i + k] - product));
      }))
    return;
  auto const solid = for_file(geometry_, 1, std::uint8_t{1},
                              [](std::size_t, std::size_t) { return std::uint8_t{0}; });
  if (!solid) return;
  fields.push_back({"solid", 1, std::span<std::uint8_t const>(*solid)});
  (Ranks::alone() ? write_fields : write_spread_fields)(path, geometry_.shape, units.voxel_m,
                                                        fields);
}

}  // namespace tessera
