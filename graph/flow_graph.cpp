// SPDX-License-Identifier: MIT
#include "graph/flow_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "graph/border.hpp"
#include "graph/exchange.hpp"
#include "graph/starpu_call.hpp"
#include "graph/starpu_environment.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

/// Waits until no more than so many tasks are submitted and have not ended.
void wait_until_in_flight(std::size_t tasks) {
  check_starpu(starpu_task_wait_for_n_submitted(static_cast<unsigned>(tasks)),
               "starpu_task_wait_for_n_submitted");
}

/// The part of each block of a tile that lies inside the box of averages.
std::vector<BlockWindow> windows_of(Tile const& tile, Tiling const& tiling, Int3 lower,
                                    Int3 upper) {
  TileView const view = view_tables(tile.layout, tile.tables.data());
  std::vector<BlockWindow> windows;
  for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
    Int3 const origin = tiling.block_origins[static_cast<std::size_t>(tile.blocks[b])];
    BlockWindow window{};
    for (Axis a : all_axes) {
      std::int64_t const extent = view.blocks[b].extent[index_of(a)];
      auto const inside = [&](std::int64_t at) {
        return static_cast<std::uint8_t>(std::clamp<std::int64_t>(at - origin[a], 0, extent));
      };
      window.lower[index_of(a)] = inside(lower[a]);
      window.upper[index_of(a)] = inside(upper[a]);
    }
    windows.push_back(window);
  }
  return windows;
}

}  // namespace

void SampleBoard::put(Sample const& sample) {
  {
    std::lock_guard const lock(mutex_);
    samples_[sample.step] = sample;
  }
  arrived_.notify_all();
}

Sample SampleBoard::take(std::int64_t step) {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] { return samples_.contains(step); });
  return samples_.extract(step).mapped();
}

FlowGraph::FlowGraph(Tiling const& tiling, FlowOptions options)
    : first_tiling_(tiling),
      options_(std::move(options)),
      balancer_(starpu_worker_get_count()),
      order_(order_of(tiling)) {
  if (options_.domains.empty()) options_.domains = {Runtime::cores()};
  if (volume(options_.average_upper - options_.average_lower) == 0)
    options_.average_upper = tiling.image_shape;
  check_tiles(tiling);
  add_tiles();
  submit_initialisation();
}

FlowGraph::~FlowGraph() { starpu_task_wait_for_all(); }

StepOrder FlowGraph::order_of(Tiling const& tiling) const {
  if (options_.levels) return StepOrder::in_levels(*options_.levels);
  return options_.steps_per_sweep > 1 ? StepOrder::by_levels(tiling) : StepOrder::plain(tiling);
}

void FlowGraph::check_tiles(Tiling const& tiling) const {
  std::size_t values = 0;
  for (Tile const& tile : tiling.tiles)
    values += tile.population_values + tile.layout.outbox_values;
  check_memory_limits(2 * values * bytes_of(options_.precision));  // this step's and the next one's
  if (std::ranges::none_of(options_.domains, &Domain::is_gpu)) return;
  for (Tile const& tile : tiling.tiles) {
    if (tile.neighbours.size() <= most_inboxes) continue;
    throw BadInput(fmt::format("a tile has {} neighbours, a GPU reads at most {}: use fewer tiles",
                               tile.neighbours.size(), most_inboxes));
  }
}

void FlowGraph::add_tiles() {
  places_.resize(static_cast<std::size_t>(tiling().blocks));
  tiles_.reserve(tiling().tiles.size());  // tasks keep pointers to the arguments in here
  force_places_.clear();
  no_forces_before_ = steps_;
  for (Tile const& tile : tiling().tiles) add_tile(tile);
  // In the order of blocks and conditions, whatever the tiles.
  std::ranges::sort(force_places_, {},
                    [](ForcePlace const& at) { return std::pair(at.block, at.condition); });
  place_tiles();
}

void FlowGraph::add_tile(Tile const& tile) {
  for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
    places_[static_cast<std::size_t>(tile.blocks[b])] = {static_cast<std::int32_t>(tiles_.size()),
                                                         static_cast<std::int32_t>(b)};
  }
  Precision const precision = options_.precision;
  TileData data;
  data.domain = tile.part % static_cast<std::int32_t>(options_.domains.size());
  data.ticket = {&balancer_.clock(), tile.layout.nodes};
  data.block_windows = windows_of(tile, tiling(), options_.average_lower, options_.average_upper);
  data.windows = DataHandle::constant(data.block_windows.data(),
                                      data.block_windows.size() * sizeof(BlockWindow));
  data.tables = DataHandle::constant(tile.tables.data(), tile.tables.size());
  for (std::size_t p : {0U, 1U}) {
    data.populations[p] =
        DataHandle::vector(tile.kept_values, bytes_of(precision), tile.population_values);
    if (tile.layout.outbox_values > 0)
      data.outbox[p] = DataHandle::vector(tile.layout.outbox_values, bytes_of(precision));
    data.sums[p] = DataHandle::vector(tile.layout.blocks, sizeof(BlockSums));
  }
  data.step = {.layout = tile.layout,
               .precision = precision,
               .model = options_.model,
               .parameters = options_.parameters,
               .boundaries = {},
               .boundary_parameters = {},
               .kernel = options_.kernels->kernel(options_.model, precision),
               .plan = data.plan.get()};
  data.measure = {tile.layout, options_.model.lattice, precision};
  if (options_.boundaries) add_boundaries(data, tile);
  auto const& force = options_.parameters.force;
  data.snapshot = {tile.layout, precision, options_.model, {force[0], force[1], force[2]}};
  tiles_.push_back(std::move(data));
}

Placement FlowGraph::placement_in(std::int32_t domain, std::size_t tile, Balance balance) const {
  if (balance == Balance::free) {
    Placement anywhere{.kinds = 0};
    for (Domain const& d : options_.domains) anywhere.kinds |= d.kind;
    return anywhere;
  }
  Domain const& home = options_.domains[static_cast<std::size_t>(domain)];
  // Cores share their tiles, unless each tile is to have its worker.
  if (!home.is_gpu() && balance == Balance::dynamic) return {.kinds = home.kind};
  return {.kinds = home.kind, .worker = home.workers[tile % home.workers.size()]};
}

void FlowGraph::place_tiles() {
  for (std::size_t t = 0; t < tiles_.size(); ++t)
    tiles_[t].placement = placement_in(tiles_[t].domain, t, options_.balance);
  // Sweeps have an order of their own.
  if (!options_.border_first || options_.steps_per_sweep > 1) return;
  std::vector<std::vector<std::int32_t>> neighbours;
  for (Tile const& tile : tiling().tiles) neighbours.push_back(tile.neighbours);
  std::vector<int> const priorities = border_priorities(neighbours, domain_of_tile());
  int const highest = starpu_sched_get_max_priority();  // some policies know no priorities
  for (std::size_t t = 0; t < tiles_.size(); ++t)
    tiles_[t].placement.priority = std::min(priorities[t], highest);
}

void FlowGraph::move_tile(std::int32_t tile, std::int32_t domain) {
  TileData& data = tiles_[static_cast<std::size_t>(tile)];
  if (data.domain == domain) return;
  data.domain = domain;
  place_tiles();
  balancer_.note_move(load_of(static_cast<std::size_t>(tile)).bytes);
}

TileLoad FlowGraph::load_of(std::size_t t) const {
  Tile const& tile = tiling().tiles[t];
  return {static_cast<double>(tile.layout.nodes), tile.kept_values * bytes_of(options_.precision),
          tiles_[t].domain, tile.neighbours};
}

void FlowGraph::balance() {
  if (options_.balance != Balance::dynamic || options_.domains.size() < 2) return;
  if (!balancer_.due()) return;
  finish_cut();
  std::vector<TileLoad> loads;
  for (std::size_t t = 0; t < tiles_.size(); ++t) loads.push_back(load_of(t));
  BalanceDecision const decision = balancer_.look(steps_, options_.domains, loads);
  for (Move const& move : decision.moves) move_tile(move.tile, move.to);
  if (!decision.shares.empty()) begin_cut(decision.shares);
}

void FlowGraph::submit_initialisation() {
  // A scheduler that is free later finds the tiles where the cut wants them.
  Balance const at_first = options_.balance == Balance::fixed ? Balance::fixed : Balance::dynamic;
  auto const stay = first_in(StepOrder(order_).next_sweep(1), options_.rooms, domain_of_tile());
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    TileData const& tile = tiles_[t];
    Accesses data;
    data.writes(tile.populations[0]);
    if (tile.outbox[0]) data.writes(tile.outbox[0]);
    submit(initialise_codelet(), data, nullptr, placement_in(tile.domain, t, at_first));
    if (options_.rooms == 0 || stay[t]) continue;
    submit_departure(tile.populations[0]);
    wait_until_in_flight(1);  // else all are there at once
  }
}

std::vector<std::int32_t> FlowGraph::domain_of_tile() const {
  std::vector<std::int32_t> domains;
  for (TileData const& tile : tiles_) domains.push_back(tile.domain);
  return domains;
}

std::vector<std::vector<Exchange>> FlowGraph::exchanges_in(Sweep const& sweep) const {
  if (options_.rooms == 0) return std::vector<std::vector<Exchange>>(sweep.waves.size());
  return exchanges_of(sweep, options_.rooms, domain_of_tile());
}

void FlowGraph::submit_steps(std::int64_t count) {
  while (count > 0) {
    auto const steps = static_cast<std::int32_t>(
        std::min({count, std::int64_t{options_.steps_per_sweep}, steps_until_collecting()}));
    submit_sweep(steps);
    count -= steps;
  }
}

void FlowGraph::submit_sweep(std::int32_t steps) {
  Sweep const sweep = order_.next_sweep(steps);
  auto const exchanges = exchanges_in(sweep);
  // StarPU takes tasks as they become ready. Only because few are in flight does it take them in
  // about this order. It counts the invalidation behind a task as well, and three parts of an
  // exchange.
  std::size_t const counted = options_.steps_per_sweep == 1 ? 1 : 2;
  std::size_t in_flight = 0;
  for (std::size_t w = 0; w < sweep.waves.size(); ++w)
    in_flight = std::max(in_flight, counted * sweep.waves[w].size() + 3 * exchanges[w].size());
  in_flight *= static_cast<std::size_t>(options_.window);
  for (std::size_t w = 0; w < sweep.waves.size(); ++w) {
    for (TileStep const& next : sweep.waves[w]) {
      auto const tile = static_cast<std::size_t>(next.tile);
      submit_tile_step(tile, steps_ + next.step);
      if (auto const slot = slot_of(steps_ + next.step + 1))
        submit_measurement_of(tile, steps_ + next.step + 1, *slot);
    }
    for (auto const& [leaves, comes] : exchanges[w])
      submit_exchange_of({leaves.tile, leaves.last + 1}, {comes.tile, comes.first});
    wait_until_in_flight(in_flight);
  }
  steps_ += steps;
  collect_measured();
  balance();
}

void FlowGraph::submit_exchange_of(TileStep leaves, TileStep comes) const {
  TileData const& out = tiles_[static_cast<std::size_t>(leaves.tile)];
  TileData const& in = tiles_[static_cast<std::size_t>(comes.tile)];
  submit_exchange(out.populations[parity(steps_ + leaves.step)],
                  in.populations[parity(steps_ + comes.step)],
                  options_.domains[static_cast<std::size_t>(in.domain)].memory());
}

void FlowGraph::submit_tile_step(std::size_t t, std::int64_t step) {
  std::size_t const now = parity(step);
  std::size_t const next = 1 - now;
  TileData const& tile = tiles_[t];
  Accesses data;
  data.updates(tile.populations[now]).writes(tile.populations[next]).reads(tile.tables);
  if (tile.outbox[next]) data.writes(tile.outbox[next]);
  for (std::int32_t n : tiling().tiles[t].neighbours)
    data.reads(tiles_[static_cast<std::size_t>(n)].outbox[now]);
  if (tile.boundaries) data.reads(tile.boundaries).scratch(tile.entering);
  if (tile.wall_forces[next]) data.writes(tile.wall_forces[next]);
  if (tile.memory) data.updates(tile.memory);
  submit(collide_stream_codelet(), data, argument_of(tile, step), tile.placement,
         {WorkClock::task_has_ended, const_cast<WorkClock::Ticket*>(&tile.ticket)});
  // The old lattice is dead: its buffer becomes the next tile's new one.
  starpu_data_invalidate_submit(tile.populations[now].get());
}

void FlowGraph::submit_snapshots(std::size_t set) {
  ++snapshots_out_;
  std::optional<StepValues> values;  // of the step that led here
  if (options_.values_at) values = options_.values_at(steps_ - 1);
  for (TileData& tile : tiles_) {
    DataHandle& states = tile.states[set];
    if (!states) states = DataHandle::vector(tile.step.layout.slots, sizeof(NodeState));
    Accesses data;
    data.reads(tile.populations[parity(steps_)]).reads(tile.tables).writes(states);
    Argument argument = &tile.snapshot;
    if (values) {
      SnapshotArguments arguments = tile.snapshot;
      std::ranges::copy(values->force, arguments.force);
      argument = Argument::copy_of(arguments);
    }
    submit(snapshot_codelet(), data, std::move(argument), tile.placement);
  }
}

NodeState const* FlowGraph::acquire_states(std::size_t tile, std::size_t set) {
  starpu_data_handle_t const handle = tiles_[tile].states[set].get();
  check_starpu(starpu_data_acquire(handle, STARPU_R), "starpu_data_acquire");
  return static_cast<NodeState const*>(starpu_data_get_local_ptr(handle));
}

void FlowGraph::release_states(std::size_t tile, std::size_t set) {
  starpu_data_release(tiles_[tile].states[set].get());
  tiles_[tile].states[set] = {};  // one tile's worth of memory at a time
}

std::vector<TileReport> FlowGraph::tile_reports() const {
  std::vector<TileReport> reports;
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    Tile const& tile = tiling().tiles[t];
    TileView const view = view_tables(tile.layout, tile.tables.data());
    WorkClock::Ticket const ticket = balancer_.clock().read(tiles_[t].ticket);
    TileReport report{.lower = tiling().image_shape,
                      .nodes = tile.layout.nodes,
                      .domain = tiles_[t].domain,
                      .worker = ticket.worker,
                      .busy_s = ticket.busy_s};
    for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
      Int3 const origin = tiling().block_origins[static_cast<std::size_t>(tile.blocks[b])];
      for (Axis a : all_axes) {
        report.lower[a] = std::min(report.lower[a], origin[a]);
        report.upper[a] = std::max(report.upper[a], origin[a] + view.blocks[b].extent[index_of(a)]);
      }
    }
    reports.push_back(report);
  }
  return reports;
}

void FlowGraph::set_body_force(double const (&force)[3]) {
  wait();  // tasks read it from where it stands
  std::ranges::copy(force, options_.parameters.force);
  for (TileData& tile : tiles_) {
    std::ranges::copy(force, tile.step.parameters.force);
    std::ranges::copy(force, tile.step.boundary_parameters.force);
    std::ranges::copy(force, tile.snapshot.force);
  }
}

void FlowGraph::wait() { check_starpu(starpu_task_wait_for_all(), "starpu_task_wait_for_all"); }

std::size_t FlowGraph::bytes_in_use() const {
  // StarPU counts what it allocates against the limit of each memory.
  auto const allocated = [](unsigned memory) {
    starpu_ssize_t const limit = starpu_memory_get_total(memory);
    return limit > 0 ? static_cast<std::size_t>(limit - starpu_memory_get_available(memory)) : 0;
  };
  std::size_t bytes = 0;
  for (Domain const& domain : options_.domains) {
    bytes += allocated(domain.memory());
    if (domain.is_gpu()) continue;
    // What lies in main memory anyway: the tables, and the plans made from them.
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
      if (tiles_[t].plan->empty()) continue;
      bytes += tiling().tiles[t].tables.size() + tiles_[t].plan->bytes();
    }
  }
  return bytes;
}

}  // namespace tessera
