// SPDX-License-Identifier: MIT
// The set-up of a pore space on a machine.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "methods/steady/on_host.hpp"
#include "methods/steady/voxels.hpp"
#include "methods/stokes/make_space.hpp"
#include "methods/stokes/pore_space.hpp"
#include "methods/stokes/solution.hpp"
#include "models/lattice/grey_medium.hpp"

namespace tessera::steady::stokes {

/// 1 for each link that ends at a wall, and for each grey node.
template <class Medium>
struct CountHolds {
  Medium medium;
  std::int32_t const* parent = nullptr;
  TESSERA_HOST_DEVICE Sums<1> operator()(std::int64_t i) const {
    double walls = medium.inverse_permeability(i) > 0 ? 1.0 : 0.0;
    for (int q = 1; q < D3Q19::size; ++q) walls += medium.links(q, i) < 0 ? 1.0 : 0.0;
    return {{parent[i] < 0 ? 0.0 : walls}};
  }
};

/// nu / k of the nodes of an aggregate, and the factors of their links along +x, +y, +z.
struct TakeResistances {
  Grid grid{};
  std::int32_t const* place_of = nullptr;
  std::uint8_t const* part_of = nullptr;
  std::int32_t const* first_slot = nullptr;
  std::uint8_t const* pore = nullptr;  ///< of voxels
  float const* of_value = nullptr;     ///< of the values of `pore`
  float* resistance = nullptr;
  float* straight = nullptr;
  std::int64_t slots = 0;

  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    for_each_node(grid, place_of[a], part_of[a], [&](Voxel at, int rank) {
      std::int64_t const slot = first_slot[a] + rank;
      resistance[slot] = of_value[pore[grid.linear(at)]];
      for (int axis = 0; axis < 3; ++axis) straight[axis * slots + slot] = factor(at, axis);
    });
  }

 private:
  /// nu / k of the voxel that link q leads to, or solid.
  TESSERA_HOST_DEVICE double beside(Voxel at, int q) const {
    if (!grid.follow(at, q)) return grey_medium::solid;
    std::uint8_t const value = pore[grid.linear(at)];
    return value == 0 ? grey_medium::solid : double{of_value[value]};
  }
  TESSERA_HOST_DEVICE float factor(Voxel at, int axis) const {
    double const own = of_value[pore[grid.linear(at)]];
    Voxel next = at;
    if (!grid.follow(next, 2 * axis + 1) || beside(at, 2 * axis + 1) != own) return 1;
    Voxel const ends[2] = {at, next};
    return static_cast<float>(grey_medium::straight_factor(viscosity, own, [&](int end, int side) {
      int const q = 2 * ((axis + 1 + side / 2) % 3) + 1 + side % 2;
      return beside(ends[end], q);
    }));
  }
};

/// Receive list of a pass over nodes: the values of a Lanczos vector that come along the links of
/// node i.
struct WishValues {
  Links links;
  template <class Want>
  TESSERA_HOST_DEVICE void operator()(std::int64_t i, Want const& want) const {
    for (int q = 1; q < D3Q19::size; ++q) {
      if (std::int64_t const j = links(q, i); j >= 0) want(j, value_index((q - 1) / 2 + 1, j));
    }
  }
};

template <class Machine>
class MachineSpace final : public StokesSpace {
 public:
  MachineSpace(Geometry const& geometry, StokesOptions const& options)
      : precision_(options.precision), space_{Machine(options), factors_of(options.magic)} {
    Machine& machine = space_.machine;
    space_.keeps_odd_halves = options.keeps_odd_halves;
    space_.set = make_nodes<Equation::links>(machine, geometry);
    auto& set = space_.set;
    space_.near_values = find_halo(machine, set.slots, set.slots, WishValues{set.links()});
    auto const parts = static_cast<std::size_t>(set.parts);
    space_.partial = machine.template array<double>(3 * static_cast<std::size_t>(set.chunks.count));
    space_.part_nodes = machine.template array<std::int64_t>(parts);
    machine.upload(space_.part_nodes.get(), set.part_nodes.data(), parts);
    if (!options.grey.empty()) take_resistances(geometry, options.grey);
    if (space_.is_grey()) {
      set_up(space_.grey_pores(), options);
    } else {
      set_up(space_.open_pores(), options);
    }
    // Frees what only the set-up needs of other processes' aggregates.
    set.place_of.keep(set.aggregates);
    set.part_of.keep(set.aggregates);
    set.first_slot.keep(set.aggregates);
  }

  std::int64_t nodes() const override { return space_.set.nodes; }
  std::int64_t parts() const override { return space_.set.parts; }

  Uninitialised<std::int64_t> voxels() override { return voxels_of(space_.machine, space_.set); }

  double bytes_per_node() const override {
    double const value = precision_ == Precision::double_precision ? 8 : 4;
    double const slot = 72 + 4 + 4 + 8 + (20 + 20) * value + 32;
    double coarse = 0;
    for (auto const& level : space_.hierarchy.levels)
      coarse += 12.0 * static_cast<double>(level.entries) +
                (16 * value + 40) * static_cast<double>(level.size.count);
    return (slot * static_cast<double>(space_.set.slots.count) + coarse) /
           static_cast<double>(space_.set.nodes);
  }

  int gpus() const override {
    if constexpr (Machine::is_gpu) return space_.machine.gpus();
    return 0;
  }

  std::vector<CoreUse> uses() const override {
    if constexpr (Machine::is_gpu) {
      return {};
    } else {
      return space_.machine.uses();
    }
  }

  StokesShare share() override {
    auto const& set = space_.set;
    Machine& machine = space_.machine;
    Uninitialised<std::int32_t> const parent = on_host(machine, set.parent.get(), set.slots);
    return {.nodes = std::ranges::count_if(parent, [](std::int32_t a) { return a >= 0; }),
            .others = set.near.values(),
            .traffic = machine.traffic()};
  }

  std::unique_ptr<StokesSolver> solver(Axis axis) override {
    if (!space_.set.grid.periodic[index_of(axis)])
      throw BadInput(std::string("steady flow: expected a box that wraps around along ") +
                     name_of(axis));
    if (space_.is_grey()) return make_grey_solver(space_, axis);
    if (precision_ == Precision::double_precision) return make_solver<double>(space_, axis);
    return make_solver<float>(space_, axis);
  }

 private:
  /// All that depends on what links let through.
  template <class Medium>
  void set_up(Medium const& medium, StokesOptions const& options) {
    Machine& machine = space_.machine;
    auto& set = space_.set;
    auto const parts = static_cast<std::size_t>(set.parts);
    auto sums = machine.template array<double>(parts);
    machine.template sum_chunks<1>(set.chunks, CountHolds<Medium>{medium, set.parent.get()},
                                   space_.partial.get());
    machine.template add_chunks<1>(set.parts, set.part_chunks.get(), set.chunks.count,
                                   space_.partial.get(), KeepSums{sums.get(), 0});
    std::vector<double> walls(parts);
    machine.download(walls.data(), sums.get(), parts);
    for (double const count : walls) {
      if (count == 0)
        throw BadInput(
            "steady flow: a part of the pore space has no wall: expected solid voxels or "
            "closed sides that hold the flow");
    }
    space_.mobility = make_mobility(machine, set, medium, space_.partial.get());
    space_.diagonal = machine.template array_of<Two<float>>(set.slots);
    Edges<Medium> const edges{medium.links, medium, space_.mobility.get()};
    machine.for_each(set.slots,
                     FineDiagonal<Medium>{medium, edges.mobility, space_.diagonal.get()});
    space_.hierarchy = make_hierarchy<Equation>(machine, set, edges, options.small_level);
  }

  void take_resistances(Geometry const& geometry, std::vector<double> const& grey) {
    Machine& machine = space_.machine;
    auto& set = space_.set;
    std::array<float, 256> of_value{};
    for (std::size_t k = 0; k < grey.size(); ++k)
      of_value.at(k + 2) = static_cast<float>(viscosity / grey[k]);
    typename Machine::template Input<float> const values(machine, of_value.data(), of_value.size());
    typename Machine::template Input<std::uint8_t> const pore(machine, geometry.pore.data(),
                                                              geometry.pore.size());
    auto const slots = static_cast<std::size_t>(set.slots.count);
    space_.resistance = machine.template array<float>(slots);
    space_.straight = machine.template array<float>(3 * slots, slots);
    // All aggregates, on each process: so nodes of others beside the own ones have theirs.
    machine.for_each(
        set.aggregates.count,
        TakeResistances{set.grid, set.place_of.get(), set.part_of.get(), set.first_slot.get(),
                        pore.get(), values.get(), space_.resistance.get(), space_.straight.get(),
                        set.slots.count});
  }

  Precision precision_;
  Space<Machine> space_;
};

}  // namespace tessera::steady::stokes
