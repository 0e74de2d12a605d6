// SPDX-License-Identifier: MIT
// The set-up of a conductor on a machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "methods/diffusion/solver.hpp"
#include "methods/diffusion/strength.hpp"
#include "methods/steady/node_set.hpp"
#include "methods/steady/voxels.hpp"

namespace tessera::steady::diffusion {

/// The conductivities of the nodes of an aggregate.
struct TakeConductivities {
  Grid grid{};
  std::int32_t const* place_of = nullptr;
  std::uint8_t const* part_of = nullptr;
  std::int32_t const* first_slot = nullptr;
  OfVoxels of_voxels;
  double* exact = nullptr;
  float* rounded = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    for_each_node(grid, place_of[a], part_of[a], [&](Voxel at, int rank) {
      std::int64_t const slot = first_slot[a] + rank;
      exact[slot] = of_voxels(grid.linear(at));
      rounded[slot] = static_cast<float>(exact[slot]);
    });
  }
};
/// Links out of the box along the open axis, which end at its ends.
struct OpenEnds {
  Grid grid{};
  std::int32_t const* place_of = nullptr;
  std::uint8_t const* part_of = nullptr;
  std::int32_t const* first_slot = nullptr;
  int axis = 0;
  std::int32_t* table = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    for_each_node(grid, place_of[a], part_of[a], [&](Voxel at, int rank) {
      std::int32_t const own = axis == 0 ? at.x : axis == 1 ? at.y : at.z;
      std::int32_t const last = (axis == 0   ? grid.shape.x
                                 : axis == 1 ? grid.shape.y
                                             : grid.shape.z) -
                                1;
      std::int64_t const slot = first_slot[a] + rank;
      if (own == last) table[Links::index(2 * axis + 1, slot)] = Links::open_end;
      if (own == 0) table[Links::index(2 * axis + 2, slot)] = Links::open_end;
    });
  }
};
struct FillOnes {
  float* values = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const { values[i] = 1; }
};
struct SumWalls {
  float const* wall = nullptr;
  TESSERA_HOST_DEVICE Sums<1> operator()(std::int64_t i) const { return {{double{wall[i]}}}; }
};

template <class Machine>
class MachineSpace final : public DiffusionSpace {
 public:
  MachineSpace(Conductor const& conductor, std::optional<Axis> open, SteadyOptions const& options)
      : space_{.machine = Machine(options), .open = open} {
    Machine& machine = space_.machine;
    space_.volume = static_cast<double>(conductor.geometry.sample_voxels());
    double const shortest = std::ranges::min(conductor.edges);
    for (std::size_t a = 0; a < 3; ++a) space_.edges[a] = conductor.edges[a] / shortest;
    find_range(conductor);
    Upload const of_voxels(machine, conductor);
    space_.set = make_nodes<Equation::links>(machine, conductor.geometry,
                                             divided_by_strength(conductor, of_voxels.get()));
    auto& set = space_.set;
    take_conductivities(of_voxels.get());
    if (open) {
      machine.for_each(
          set.aggregates,
          OpenEnds{set.grid, set.place_of.get(), set.part_of.get(), set.first_slot.get(),
                   static_cast<int>(index_of(*open)), set.table.get()});
    }
    space_.diagonal = machine.template array_of<float>(set.slots);
    space_.wall = machine.template array_of<float>(set.slots);
    machine.for_each(set.slots,
                     FineDiagonal{space_.links(), space_.diagonal.get(), space_.wall.get()});
    space_.partial = machine.template array<double>(2 * static_cast<std::size_t>(set.chunks.count));
    find_parts_without_ends();
    space_.hierarchy = make_hierarchy<Equation>(machine, set, space_.links(), options.small_level);
  }

  std::int64_t nodes() const override { return space_.set.nodes; }
  Uninitialised<std::int64_t> voxels() override { return voxels_of(space_.machine, space_.set); }
  double bytes_per_node() const override {
    double coarse = 0;
    for (auto const& level : space_.hierarchy.levels)
      coarse +=
          8.0 * static_cast<double>(level.entries) + 36.0 * static_cast<double>(level.size.count);
    constexpr double slot = 4.0 * Links::size + 4 + 3 * 4 + 2 * 8 + 5 * 4;
    return (slot * static_cast<double>(space_.set.slots.count) + coarse) /
           static_cast<double>(nodes());
  }
  std::vector<CoreUse> uses() const override {
    if constexpr (Machine::is_gpu)
      return {};
    else
      return space_.machine.uses();
  }
  std::unique_ptr<DiffusionSolver> solver(Axis axis) override {
    if (space_.open != axis && !space_.set.grid.periodic[index_of(axis)])
      throw BadInput(std::string("diffusion: expected a box that is open or wraps around along ") +
                     name_of(axis));
    return std::make_unique<Solver<Machine>>(space_, axis);
  }

 private:
  /// The least and the largest conductivity.
  void find_range(Conductor const& conductor) {
    bool is_first = true;
    auto const take = [&](double value) {
      space_.least = is_first ? value : std::min(space_.least, value);
      space_.largest = is_first ? value : std::max(space_.largest, value);
      is_first = false;
    };
    for (std::size_t i = 0; i < conductor.values.size(); ++i) {
      if (conductor.geometry.pore[i] != 0) take(conductor.values[i]);
    }
    for (double const value : conductor.of_label) {
      if (conductor.values.empty() && value > 0) take(value);
    }
  }
  /// The conductivities of all voxels, on the machine.
  class Upload {
   public:
    Upload(Machine& machine, Conductor const& conductor)
        : of_label_(machine, conductor.of_label.data(), conductor.of_label.size()),
          labels_(machine, conductor.labels.data(), conductor.labels.size()),
          values_(machine, conductor.values.data(), conductor.values.size()),
          by_label_(conductor.values.empty()) {}
    OfVoxels get() const {
      return {of_label_.get(), by_label_ ? labels_.get() : nullptr, values_.get()};
    }

   private:
    template <class T>
    using Input = typename Machine::template Input<T>;
    Input<double> of_label_;
    Input<std::uint8_t> labels_;
    Input<double> values_;
    bool by_label_;
  };
  DividedByStrength divided_by_strength(Conductor const& conductor,
                                        OfVoxels const& of_voxels) const {
    DividedByStrength divided{make_grid(conductor.geometry), of_voxels};
    for (std::size_t a = 0; a < 3; ++a) divided.factor[a] = space_.links().factor[a];
    divided.is_uniform =
        space_.least == space_.largest && space_.edges == std::array<double, 3>{1, 1, 1};
    return divided;
  }
  void take_conductivities(OfVoxels const& of_voxels) {
    Machine& machine = space_.machine;
    auto& set = space_.set;
    auto const slots = static_cast<std::size_t>(set.slots.count);
    space_.conductivity = machine.template array<float>(slots);
    space_.exact = machine.template array<double>(slots);
    machine.for_each(set.slots.count, FillOnes{space_.conductivity.get()});
    // All aggregates, on each process: so nodes of others beside the own ones have theirs.
    machine.for_each(
        set.aggregates.count,
        TakeConductivities{set.grid, set.place_of.get(), set.part_of.get(), set.first_slot.get(),
                           of_voxels, space_.exact.get(), space_.conductivity.get()});
  }
  void find_parts_without_ends() {
    Machine& machine = space_.machine;
    auto& set = space_.set;
    auto const parts = static_cast<std::size_t>(set.parts);
    auto sums = machine.template array<double>(parts);
    machine.template sum_chunks<1>(set.chunks, SumWalls{space_.wall.get()}, space_.partial.get());
    machine.template add_chunks<1>(set.parts, set.part_chunks.get(), set.chunks.count,
                                   space_.partial.get(), KeepSums{sums.get()});
    std::vector<double> walls(parts);
    machine.download(walls.data(), sums.get(), parts);
    std::vector<double> inverse(parts);
    for (std::size_t part = 0; part < parts; ++part)
      inverse[part] = walls[part] > 0 ? 0.0 : 1 / static_cast<double>(set.part_nodes[part]);
    space_.inverse_nodes = machine.template array<double>(parts);
    machine.upload(space_.inverse_nodes.get(), inverse.data(), parts);
  }

  Space<Machine> space_;
};

}  // namespace tessera::steady::diffusion
