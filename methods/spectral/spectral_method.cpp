// SPDX-License-Identifier: MIT
#include "methods/spectral/spectral_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "codelets/spectral/inboxes.hpp"
#include "graph/runtime/starpu_environment.hpp"
#include "graph/tasks/starpu_call.hpp"
#include "models/spectral/cost.hpp"

namespace tessera::spectral {
namespace {

void check_options(GasOptions const& options) {
  if (!options.initial) throw BadInput("gas: there is no initial state");
  if (!(options.parameters.gas.gamma > 1))
    throw BadInput(
        fmt::format("gas: gamma = {}, expected more than 1", options.parameters.gas.gamma));
  if (options.rule == StepRule::fixed && !(options.clock.fixed > 0))
    throw BadInput(
        fmt::format("gas: a time step of {}, expected more than 0", options.clock.fixed));
  if (options.rule != StepRule::fixed && !(options.clock.sigma > 0))
    throw BadInput(
        fmt::format("gas: {} of the stable time step, expected more than 0", options.clock.sigma));
}

ElementTiles make_tiles_of(MeshOfGas const& of, Numbers numbers, TwoLevelCut const& cut) {
  ElementTiles made = with_numbers(numbers, [&]<class N>() {
    return make_tiles<N>(of, cut.tile_of_block, cut.rank_of_tile, Ranks::rank());
  });
  check_boxes(made.tiles);
  for (std::size_t t = 0; t < made.tiles.size(); ++t)
    made.tiles[t].part = cut.part_of_tile[static_cast<std::size_t>(made.number_of(t))];
  made.rank_of_pack = rank_of_blocks(cut);
  return made;
}

/// Cost of a tile's points, in points of degree 3.
double work_of(TileCounts const& counts) {
  double cost = 0;
  double points = 0;
  for (std::int32_t g = 0; g < counts.groups; ++g) {
    DegreeGroup const& group = counts.group[g];
    double const of_group =
        static_cast<double>(group.packs) * PackShape{counts.dimension, group.degree}.points();
    points += of_group;
    cost += of_group * cost_of_point(group.degree);
  }
  return static_cast<double>(counts.points) * cost / points;
}

}  // namespace

SpectralMethod::SpectralMethod(MeshOfGas const& of, TwoLevelCut const& cut, GasOptions options)
    : of_(of),
      options_(std::move(options)),
      clock_changes_(options_.rule != StepRule::fixed || !options_.clock.meet.empty()) {
  check_options(options_);
  if (options_.rule != StepRule::fixed) options_.clock.fixed = 0;
  options_.parameters.gas = of.gas;
  for (DataHandle& clock : clocks_) clock = DataHandle::vector(1, sizeof(Clock));
  if (options_.rule != StepRule::fixed) {
    // The tags follow those of all outboxes of any cut.
    ranks_.emplace(2 * static_cast<std::int64_t>(of_.packs.packs.size()), clocks_);
  }
  add_tiles(make_tiles_of(of_, options_.numbers, cut));
  check_memory_limits(buffer_bytes());
}

std::size_t SpectralMethod::buffer_bytes() const {
  std::size_t bytes = 0;
  for (TileData const& tile : tiles_) {
    bytes += (1 + snapshot_sets) * tile.state.bytes() + tile.kept.bytes() + tile.speeds.bytes();
    bytes += 2 * (tile.traces[0].bytes() + tile.measured[0].bytes());
    for (StageBox const& box : tile.outboxes) bytes += 2 * box[0].bytes();
  }
  return bytes + foreign_.bytes();
}

void SpectralMethod::add_tiles(ElementTiles made) {
  foreign_.clear();
  for (ForeignOutbox const& outbox : made.foreign) {
    foreign_.add(outbox.tile, outbox.rank, static_cast<std::size_t>(outbox.numbers),
                 spectral::bytes_of(options_.numbers));
  }
  first_tile_ = made.first_tile;
  rank_of_pack_ = std::move(made.rank_of_pack);
  tasks_beside_steps_ = foreign_.count() + (ranks_ ? ranks_->messages() : 0);
  // Traces of the largest tile of each part: with buffers of one size tiles can reuse each other's.
  std::map<std::int32_t, std::int64_t> most_traces;
  for (ElementTile const& tile : made.tiles) {
    std::int64_t& most = most_traces[tile.part];
    most = std::max(most, tile.counts.trace_numbers);
    tasks_beside_steps_ += tile.outboxes.size() - 1;
  }
  tiles_.reserve(made.tiles.size());  // tasks keep pointers to the arguments in here
  limits_.clear();
  for (ElementTile& tile : made.tiles) {
    std::vector<double>& limits = limits_.emplace_back();
    for (std::int32_t const pack : tile.packs)
      limits.push_back(stable_step(options_.parameters.integrator,
                                   of_.packs.packs[static_cast<std::size_t>(pack)].degree));
    std::int64_t const traces = most_traces[tile.part];
    tiles_.push_back(data_of(std::move(tile), traces));
  }
}

SpectralMethod::TileData SpectralMethod::data_of(ElementTile tile, std::int64_t traces) const {
  std::size_t const bytes = spectral::bytes_of(options_.numbers);
  auto const numbers = [&](std::int64_t count) {
    return DataHandle::vector(static_cast<std::size_t>(std::max<std::int64_t>(count, 1)), bytes);
  };
  TileData data;
  data.publication = {.counts = tile.counts,
                      .numbers = options_.numbers,
                      .parameters = options_.parameters,
                      .with_speeds = true,
                      .kernels = options_.kernels};
  auto const stages = stages_of(options_.parameters.integrator);
  for (Stage const& stage : stages) {
    StageArguments& arguments = data.stages.emplace_back(data.publication);
    arguments.stage = stage;
    arguments.with_speeds = &stage == &stages.back() && options_.rule != StepRule::fixed;
  }
  data.tile = std::move(tile);
  TileCounts const& counts = data.tile.counts;
  data.tables =
      DataHandle::constant(data.tile.table_bytes(), data.tile.tables.size() * sizeof(CacheLine));
  data.state = numbers(counts.state_numbers);
  data.kept = numbers(counts.state_numbers);
  for (std::size_t p : {0U, 1U}) {
    data.traces[p] = numbers(traces);
    data.measured[p] = DataHandle::vector(data.tile.packs.size(), sizeof(PackMeasurement));
  }
  for (Outbox const& outbox : data.tile.outboxes)
    data.outboxes.push_back({numbers(outbox.numbers), numbers(outbox.numbers)});
  data.speeds = DataHandle::vector(data.tile.packs.size(), sizeof(double));
  return data;
}

std::unique_ptr<NewTiles> SpectralMethod::tiles_of(TwoLevelCut const& cut) const {
  return std::make_unique<NewPackTiles>(make_tiles_of(of_, options_.numbers, cut));
}

std::vector<TileFacts> SpectralMethod::tiles() const {
  std::vector<TileFacts> facts;
  for (TileData const& tile : tiles_) {
    TileCounts const& counts = tile.tile.counts;
    facts.push_back(
        {.work = work_of(counts),
         .kept_bytes = static_cast<std::size_t>(counts.state_numbers + counts.trace_numbers) *
                       spectral::bytes_of(options_.numbers),
         .part = tile.tile.part,
         .neighbours = tile.tile.neighbours});
  }
  return facts;
}

int SpectralMethod::stages_per_step() const {
  return static_cast<int>(stages_of(options_.parameters.integrator).size());
}

StageHandles SpectralMethod::handles(std::size_t t, std::int64_t stage) const {
  TileData const& tile = tiles_[t];
  return {.state = tile.state,
          .kept = tile.kept,
          .traces = tile.traces[parity(stage)],
          .next_traces = tile.traces[parity(stage + 1)],
          .tables = tile.tables,
          .clock = clock_of(stage / stages_per_step()),
          .speeds = tile.speeds,
          .outboxes = {},
          .inboxes = {}};
}

std::vector<DataHandle const*> SpectralMethod::outboxes_of(std::size_t t,
                                                           std::int64_t stage) const {
  std::vector<DataHandle const*> outboxes;
  for (StageBox const& box : tiles_[t].outboxes) outboxes.push_back(&box[parity(stage)]);
  return outboxes;
}

void SpectralMethod::publish(std::size_t t, std::int64_t stage, Placement const& placement) {
  auto const outboxes = outboxes_of(t, stage);
  StageHandles all = handles(t, stage - 1);
  all.outboxes = outboxes;
  submit_publication(all, tiles_[t].publication, placement);
}

void SpectralMethod::submit_begin(std::size_t t, Placement const& placement) {
  TileData const& tile = tiles_[t];
  submit_initial_state(tile.state, tile.tables,
                       {.of = &of_,
                        .packs = &tile.tile.packs,
                        .counts = tile.tile.counts,
                        .numbers = options_.numbers,
                        .at = options_.initial},
                       placement);
  publish(t, 0, placement);
}

void SpectralMethod::submit_sends(std::size_t t, std::int64_t stage) {
  TileData const& tile = tiles_[t];
  for (std::size_t i = 1; i < tile.outboxes.size(); ++i) {
    submit_send(tile.outboxes[i], first_tile_ + static_cast<std::int32_t>(t),
                tile.tile.outboxes[i].rank, stage);
  }
}

void SpectralMethod::submit_stage(std::size_t t, std::int64_t stage, Placement const& placement,
                                  Callback const& callback) {
  begin_clocks();
  TileData const& tile = tiles_[t];
  for (std::int32_t const f : tile.tile.foreign)
    foreign_.submit_receive(static_cast<std::size_t>(f), stage);
  auto const outboxes = outboxes_of(t, stage + 1);
  std::vector<DataHandle const*> inboxes;
  inboxes.reserve(tile.tile.neighbours.size() + tile.tile.foreign.size());
  for (std::int32_t const n : tile.tile.neighbours)
    inboxes.push_back(&tiles_[static_cast<std::size_t>(n)].outboxes.front()[parity(stage)]);
  for (std::int32_t const f : tile.tile.foreign)
    inboxes.push_back(&foreign_.at(static_cast<std::size_t>(f), stage));
  StageHandles all = handles(t, stage);
  all.outboxes = outboxes;
  all.inboxes = inboxes;
  submit_gas_stage(all, tile.stages[static_cast<std::size_t>(stage % stages_per_step())], placement,
                   callback);
  // The old traces are dead: their buffer is reused for the new traces of the next tile.
  if (!options_.both_traces) starpu_data_invalidate_submit(all.traces.get());
}

void SpectralMethod::submit_stage_end(std::int64_t stage) {
  if ((stage + 1) % stages_per_step() != 0) return;
  std::int64_t const step = stage / stages_per_step();
  submit_clock_of(step + (options_.rule == StepRule::exact ? 1 : 2));
}

void SpectralMethod::submit_clock_of(std::int64_t step) { set_clock_of(step, false, 0); }

void SpectralMethod::submit_first_clock(double time) { set_clock_of(first_step_, true, time); }

void SpectralMethod::set_clock_of(std::int64_t step, bool is_first, double time) {
  DataHandle const* const before = is_first ? nullptr : &clock_of(step - 1);
  if (!ranks_) return submit_clock(clock_of(step), before, time, {}, options_.clock);
  StepBounds bounds{.limits = &limits_, .longest = ranks_->submit_gathering()};
  for (TileData const& tile : tiles_) bounds.speeds.push_back(&tile.speeds);
  if (ranks_->is_root()) {
    submit_clock(clock_of(step), before, time, bounds, options_.clock);
  } else {
    ranks_->submit_up(bounds);
  }
  ranks_->submit_down(static_cast<std::size_t>(step) % clocks);
}

void SpectralMethod::begin_clocks() {
  if (std::exchange(clocks_have_begun_, true)) return;
  std::optional<Clock> const known = std::exchange(resumed_, std::nullopt);
  if (known) first_time_ = known->time;
  if (known && known->dt > 0 && clock_changes_) {
    with_clock(first_step_, STARPU_W, [&](Clock& clock) {
      clock = {known->time, options_.clock.met(known->time, known->dt)};
    });
  } else {
    submit_first_clock(first_time_);
  }
  if (clock_changes_ && options_.rule != StepRule::exact) submit_clock_of(first_step_ + 1);
}

template <class Use>
void SpectralMethod::with_clock(std::int64_t step, starpu_data_access_mode mode, Use&& use) {
  starpu_data_handle_t const handle = clock_of(step).get();
  check_starpu(starpu_data_acquire(handle, mode), "starpu_data_acquire");
  use(*static_cast<Clock*>(starpu_data_get_local_ptr(handle)));
  starpu_data_release(handle);
}

SpectralMethod::When SpectralMethod::when(std::int64_t steps) const {
  if (!clock_changes_) {
    double const dt = options_.clock.fixed;
    double const before = first_time_ + static_cast<double>(steps - 1 - first_step_) * dt;
    return {steps, {.known = Clock{before, dt}, .is_end = true}};
  }
  if (steps == first_step_) return {steps, {.is_end = false}};
  return {steps - 1, {.is_end = true}};
}

Clock SpectralMethod::clock(std::int64_t step) {
  begin_clocks();
  if (!clock_changes_) {
    double const dt = options_.clock.fixed;
    return {first_time_ + static_cast<double>(step - first_step_) * dt, dt};
  }
  Clock found;
  with_clock(step, STARPU_R, [&](Clock const& clock) { found = clock; });
  return found;
}

std::vector<DataHandle const*> SpectralMethod::residents(std::size_t t, std::int64_t stages) const {
  TileData const& tile = tiles_[t];
  return {&tile.state, &tile.kept, &tile.traces[parity(stages)]};
}

std::size_t SpectralMethod::bytes_beside_buffers() const {
  std::size_t bytes = 0;
  for (TileData const& tile : tiles_) bytes += tile.tile.tables.size() * sizeof(CacheLine);
  return bytes;
}

}  // namespace tessera::spectral
