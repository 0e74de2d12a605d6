// SPDX-License-Identifier: MIT
#include "methods/lattice/lattice_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/errors.hpp"
#include "base/exact_sum.hpp"
#include "base/ranks/rank_sums.hpp"
#include "base/ranks/ranks.hpp"
#include "graph/runtime/starpu_environment.hpp"
#include "graph/tasks/starpu_call.hpp"

namespace tessera {
namespace {

/// The part of each block of a tile that lies inside the box of averages.
std::vector<AverageBox> average_boxes_of(Tile const& tile, Tiling const& tiling, Int3 lower,
                                         Int3 upper) {
  TileView const view = view_of(tile);
  std::vector<AverageBox> average_boxes;
  for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
    Int3 const origin = origin_of(tiling, tile, b);
    AverageBox box{};
    for (Axis a : all_axes) {
      std::int64_t const extent = view.blocks[b].extent[index_of(a)];
      auto const inside = [&](std::int64_t at) {
        return static_cast<std::uint8_t>(std::clamp<std::int64_t>(at - origin[a], 0, extent));
      };
      box.lower[index_of(a)] = inside(lower[a]);
      box.upper[index_of(a)] = inside(upper[a]);
    }
    average_boxes.push_back(box);
  }
  return average_boxes;
}

}  // namespace

LatticeMethod::LatticeMethod(Tiling const& tiling, LatticeOptions options, bool on_gpus)
    : first_tiling_(tiling), options_(std::move(options)), on_gpus_(on_gpus) {
  if (volume(options_.average_upper - options_.average_lower) == 0)
    options_.average_upper = tiling.image_shape;
  add_tiles();
  check(tiling);
}

std::size_t LatticeMethod::buffer_bytes(Tiling const& tiling) const {
  std::size_t bytes = 0;
  for (Tile const& tile : tiling.tiles) {
    std::size_t const values = tile.population_values + tile.counts.outbox_values;
    std::size_t const sums = tile.counts.blocks * (sizeof(BlockSums) + sizeof(FunctionalTerms));
    bytes += 2 * (values * bytes_of(options_.precision) + sums);
    bytes += snapshot_sets * tile.counts.slots * sizeof(NodeState);
  }
  for (TileData const& tile : tiles_) bytes += tile.boundaries.bytes();  // any tiling has as many
  return bytes + foreign_.bytes();
}

void LatticeMethod::check(Tiling const& tiling) const {
  check_memory_limits(buffer_bytes(tiling));
  if (!on_gpus_) return;
  for (Tile const& tile : tiling.tiles) {
    std::size_t const inboxes = tile.neighbours.size() + tile.foreign.size();
    if (inboxes > most_inboxes) {
      throw BadInput(
          fmt::format("a tile has {} neighbours, a GPU reads at most {}: use fewer tiles", inboxes,
                      most_inboxes));
    }
    if (tile.outboxes.size() > most_outboxes) {
      throw BadInput(fmt::format("a tile has neighbours in {} processes, a GPU sends to at most {}",
                                 tile.outboxes.size() - 1, most_outboxes - 1));
    }
  }
}

void LatticeMethod::add_tiles() {
  force_places_.clear();
  tiles_.reserve(tiling().tiles.size());  // tasks keep pointers to the arguments in here
  std::int32_t force_buffers = 0;
  for (Tile const& tile : tiling().tiles) {
    tiles_.push_back(data_of(tile));
    if (!tiles_.back().boundaries.wall_forces(0)) continue;
    add_force_places(tiles_.back(), force_buffers++);
  }
  add_foreign_outboxes();
}

void LatticeMethod::add_foreign_outboxes() {
  foreign_.clear();
  for (ForeignOutbox const& outbox : tiling().foreign)
    foreign_.add(outbox.tile, outbox.rank, outbox.values, bytes_of(options_.precision));
  messages_per_step_ = foreign_.count();
  for (Tile const& tile : tiling().tiles) {
    messages_per_step_ += static_cast<std::size_t>(std::ranges::count_if(
        tile.outboxes, [](Outbox const& outbox) { return outbox.rank != Ranks::rank(); }));
  }
}

LatticeMethod::TileData LatticeMethod::data_of(Tile const& tile) const {
  Precision const precision = options_.precision;
  auto const& force = options_.parameters.force;
  TileData data;
  data.tables = DataHandle::constant(tile.tables.data(), tile.tables.size());
  for (std::size_t p : {0U, 1U}) {
    data.populations[p] =
        DataHandle::vector(tile.kept_values, bytes_of(precision), tile.population_values);
    data.sums[p] = DataHandle::vector(tile.counts.blocks, sizeof(BlockSums));
  }
  for (Outbox const& outbox : tile.outboxes) {
    auto const vector = [&] { return DataHandle::vector(outbox.values, bytes_of(precision)); };
    data.outboxes.push_back({vector(), vector()});
  }
  if (options_.boundaries) data.boundaries = BoundaryData(tiling(), tile, *options_.boundaries);
  data.boxes_of_blocks =
      average_boxes_of(tile, tiling(), options_.average_lower, options_.average_upper);
  data.average_boxes = DataHandle::constant(data.boxes_of_blocks.data(),
                                            data.boxes_of_blocks.size() * sizeof(AverageBox));
  data.step = {.counts = tile.counts,
               .precision = precision,
               .model = options_.model,
               .parameters = options_.parameters,
               .boundaries = data.boundaries.counts(),
               .boundary_parameters = {.equilibrium = options_.model.equilibrium,
                                       .supply = options_.wall_supply},
               .kernel = options_.kernels->kernel(options_.model, precision),
               .plan = data.plan.get()};
  std::ranges::copy(force, data.step.boundary_parameters.force);
  std::ranges::fill(data.step.boundary_parameters.factor, 1);
  data.measure = {tile.counts, options_.model.lattice, precision};
  data.functional = {
      tile.counts, options_.model.lattice, precision,
      functional_parameters(options_.model, options_.parameters).value_or(FunctionalParameters{})};
  data.snapshot = {tile.counts, precision, options_.model, {force[0], force[1], force[2]}};
  data.initial = {tile.counts, precision, options_.model.lattice};
  with_lattice(options_.model.lattice, [&]<class Lattice>() {
    double f[Lattice::size];
    equilibrium_populations<Lattice>(options_.model.equilibrium, options_.initial, f);
    std::ranges::copy(f, data.initial.populations.begin());
  });
  return data;
}

void LatticeMethod::add_force_places(TileData const& data, std::int32_t buffer) {
  for (std::uint32_t g = 0; g < data.boundaries.counts().groups; ++g) {
    std::uint32_t const condition = data.boundaries.view().groups[g].condition;
    force_places_.push_back({condition, buffer, static_cast<std::int32_t>(g)});
  }
}

std::vector<TileFacts> LatticeMethod::tiles() const {
  std::vector<TileFacts> facts;
  for (Tile const& tile : tiling().tiles) {
    facts.push_back({.work = static_cast<double>(tile.counts.nodes),
                     .kept_bytes = tile.kept_values * bytes_of(options_.precision),
                     .part = tile.part,
                     .neighbours = tile.neighbours});
  }
  return facts;
}

void LatticeMethod::submit_begin(std::size_t t, Placement const& placement) {
  TileData const& tile = tiles_[t];
  submit_initialise(tile.populations[0], tile.tables, outboxes_of(t, 0), tile.initial, placement);
}

std::vector<DataHandle const*> LatticeMethod::outboxes_of(std::size_t tile,
                                                          std::int64_t steps) const {
  std::vector<DataHandle const*> outboxes;
  for (auto const& outbox : tiles_[tile].outboxes) outboxes.push_back(&outbox[parity(steps)]);
  return outboxes;
}

StageBox const& LatticeMethod::outbox_for(std::size_t reader, std::size_t sender) const {
  auto const& tiles = tiling().tiles;
  return tiles_[sender].outboxes[tiles[sender].outbox_for(Ranks::rank(), tiles[reader].part)];
}

void LatticeMethod::submit_sends(std::size_t t, std::int64_t step) {
  if (messages_left_out_) return;
  std::vector<Outbox> const& outboxes = tiling().tiles[t].outboxes;
  for (std::size_t i = 0; i < outboxes.size(); ++i) {
    std::int32_t const to = outboxes[i].rank;
    if (to != Ranks::rank()) submit_send(tiles_[t].outboxes[i], tiling().number_of(t), to, step);
  }
}

void LatticeMethod::submit_receives(std::size_t t, std::int64_t step) {
  if (messages_left_out_) return;
  for (std::int32_t const f : tiling().tiles[t].foreign)
    foreign_.submit_receive(static_cast<std::size_t>(f), step);
}

void LatticeMethod::submit_stage(std::size_t t, std::int64_t step, Placement const& placement,
                                 Callback const& callback) {
  std::size_t const now = parity(step);
  std::size_t const next = 1 - now;
  TileData const& tile = tiles_[t];
  submit_receives(t, step);
  std::vector<DataHandle const*> const outboxes = outboxes_of(t, step + 1);
  std::vector<DataHandle const*> inboxes;
  for (std::int32_t const n : tiling().tiles[t].neighbours)
    inboxes.push_back(&outbox_for(t, static_cast<std::size_t>(n))[now]);
  for (std::int32_t const n : tiling().tiles[t].foreign)
    inboxes.push_back(&foreign_.at(static_cast<std::size_t>(n), step));
  if (options_.halo == HaloExchange::task && !inboxes.empty()) {
    submit_fill_halo({tile.populations[now], tile.tables, inboxes}, &tile.step, placement);
    inboxes.clear();
  }
  submit_collide_stream({.old_populations = tile.populations[now],
                         .new_populations = tile.populations[next],
                         .tables = tile.tables,
                         .outboxes = outboxes,
                         .inboxes = inboxes,
                         .boundaries = tile.boundaries.handles(step + 1)},
                        argument_of(tile, step), placement, callback);
  submit_functional_of(t, step, placement);
  // The old lattice is dead: its buffer is reused for the new lattice of the next tile, or its own.
  if (!options_.both_lattices) starpu_data_invalidate_submit(tile.populations[now].get());
}

std::size_t LatticeMethod::tasks_beside_steps() const {
  std::size_t const messages = messages_left_out_ ? 0 : messages_per_step_;
  return messages + (options_.halo == HaloExchange::task ? tiles_.size() : 0);
}

std::vector<DataHandle const*> LatticeMethod::residents(std::size_t tile,
                                                        std::int64_t steps) const {
  return {&tiles_[tile].populations[parity(steps)]};
}

std::optional<StepValues> LatticeMethod::values_at(std::int64_t step) const {
  if (!options_.values_at) return std::nullopt;
  return options_.values_at(step);
}

Argument LatticeMethod::argument_of(TileData const& tile, std::int64_t step) {
  if (!options_.values_at) return &tile.step;
  if (step != step_of_values_) {
    values_ = options_.values_at(step);
    step_of_values_ = step;
  }
  StepArguments arguments = tile.step;
  std::ranges::copy(values_.force, arguments.parameters.force);
  std::ranges::copy(values_.force, arguments.boundary_parameters.force);
  std::ranges::copy(values_.factor, arguments.boundary_parameters.factor);
  return Argument::copy_of(arguments);
}

void LatticeMethod::set_body_force(double const (&force)[3]) {
  std::ranges::copy(force, options_.parameters.force);
  for (TileData& tile : tiles_) {
    std::ranges::copy(force, tile.step.parameters.force);
    std::ranges::copy(force, tile.step.boundary_parameters.force);
    std::ranges::copy(force, tile.snapshot.force);
    std::ranges::copy(force, tile.functional.parameters.force);
  }
}

void LatticeMethod::set_wall_supply(double supply) {
  options_.wall_supply = supply;
  for (TileData& tile : tiles_) tile.step.boundary_parameters.supply = supply;
}

WallTotals LatticeMethod::wall_totals() const {
  Velocities const velocities = velocities_of(options_.model.lattice);
  ExactSums<WallTotals> sums;
  for (TileData const& tile : tiles_) {
    BoundaryView const view = tile.boundaries.view();
    for (std::uint32_t i = 0; i < view.counts.links; ++i) {
      BoundaryLink const& link = view.links[i];
      if (!traits_of(link.kind).may_move) continue;
      bool const leaks =
          link.kind == BoundaryKind::interpolated_wall || link.kind == BoundaryKind::on_node_wall;
      double const weight = velocities.weight[link.q];
      sums.add({weight, leaks ? weight : 0, link.constant, std::abs(link.constant)});
    }
  }
  add_up_over_ranks(sums.all());
  return sums.value();
}

std::size_t LatticeMethod::bytes_beside_buffers() const {
  std::size_t bytes = 0;  // of tables, and of the plans made from them
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    if (tiles_[t].plan->empty()) continue;
    bytes += tiling().tiles[t].tables.size() + tiles_[t].plan->bytes();
  }
  return bytes;
}

}  // namespace tessera
