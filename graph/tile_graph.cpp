// SPDX-License-Identifier: MIT
#include "graph/tile_graph.hpp"

#include <algorithm>
#include <utility>

#include "graph/runtime/runtime.hpp"
#include "graph/swap.hpp"
#include "graph/tasks/starpu_call.hpp"

namespace tessera {
namespace {

/// Waits until no more than so many tasks are submitted and have not ended.
void wait_until_in_flight(std::size_t tasks) {
  check_starpu(starpu_task_wait_for_n_submitted(static_cast<unsigned>(tasks)),
               "starpu_task_wait_for_n_submitted");
}

}  // namespace

TileGraph::TileGraph(TileMethod& method, GraphOptions options)
    : method_(method),
      options_(std::move(options)),
      stages_per_step_(method.stages_per_step()),
      balancer_(starpu_worker_get_count()),
      may_cut_anew_(method.can_cut_anew()) {
  if (options_.domains.empty()) options_.domains = {Runtime::cores()};
  if (method.stages_have_ends()) options_.steps_per_sweep = 1;
  add_tiles();
  submit_beginning();
}

TileGraph::~TileGraph() { starpu_task_wait_for_all(); }

void TileGraph::add_tiles() {
  std::vector<TileFacts> facts = method_.tiles();
  tiles_ = std::vector<TileState>(facts.size());  // tasks keep pointers to the tickets in here
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    TileState& tile = tiles_[t];
    tile.facts = std::move(facts[t]);
    tile.domain = tile.facts.part % static_cast<std::int32_t>(options_.domains.size());
    tile.ticket = {&balancer_.clock(), static_cast<std::int64_t>(tile.facts.work)};
  }
  order_ = order();
  place_tiles();
}

StepOrder TileGraph::order() const {
  if (options_.levels) return StepOrder::in_levels(*options_.levels);
  if (options_.steps_per_sweep == 1) return StepOrder::plain(tiles_.size());
  Neighbours neighbours;
  for (TileState const& tile : tiles_) neighbours.push_back(tile.facts.neighbours);
  return StepOrder::by_levels(neighbours);
}

void TileGraph::place_tiles() {
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    Domain const& domain = options_.domains[static_cast<std::size_t>(tiles_[t].domain)];
    Place place{.kinds = domain.kind};
    // Cores share their tiles, unless each tile is to have its worker.
    if (domain.is_gpu() || options_.balance == Balance::fixed)
      place.worker = domain.workers[t % domain.workers.size()];
    tiles_[t].home.move_to(place);
  }
  method_.note_domains(domain_of_tile());
}

Placement TileGraph::at_home(std::size_t tile) const {
  Placement placement{.kinds = 0, .home = &tiles_[tile].home};
  for (Domain const& domain : options_.domains) placement.kinds |= domain.kind;
  return placement;
}

Placement TileGraph::placement(std::size_t tile) const {
  Placement placement = at_home(tile);
  if (options_.balance == Balance::free) placement.home = nullptr;
  return placement;
}

std::vector<std::int32_t> TileGraph::domain_of_tile() const {
  std::vector<std::int32_t> domains;
  domains.reserve(tiles_.size());
  for (TileState const& tile : tiles_) domains.push_back(tile.domain);
  return domains;
}

void TileGraph::submit_beginning() {
  auto const stay = first_in(StepOrder(order_).next_sweep(1), options_.rooms, domain_of_tile());
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    method_.submit_begin(t, at_home(t));  // there a scheduler that is free later finds it
    if (options_.rooms == 0 || stay[t]) continue;
    for (DataHandle const* const leaves : method_.residents(t, 0)) submit_departure(*leaves);
    wait_until_in_flight(1);  // else all are there at once
  }
}

void TileGraph::submit_steps(std::int64_t count) {
  while (count > 0) {
    std::int64_t const steps =
        std::min({count, std::int64_t{options_.steps_per_sweep}, steps_until_collecting()});
    if (method_.stages_have_ends()) {
      for (std::int64_t stage = 0; stage < stages_per_step_; ++stage) {
        submit_sweep(1);
        method_.submit_stage_end(stages_ - 1);
      }
      collect_measured();  // behind the ends, whose sums it may read
    } else {
      submit_sweep(static_cast<std::int32_t>(steps * stages_per_step_));
    }
    steps_ += steps;
    count -= steps;
    balance();
  }
}

void TileGraph::submit_sweep(std::int32_t stages) {
  Sweep const sweep = order_.next_sweep(stages);
  auto const swaps = swaps_in(sweep);
  // StarPU takes tasks as they become ready. Only because few are in flight does it take them in
  // about this order. It counts the invalidation behind a task as well, three parts of a swap, and
  // messages.
  std::size_t const counted = options_.steps_per_sweep == 1 ? 1 : 2;
  std::size_t in_flight = 0;
  for (std::size_t w = 0; w < sweep.waves.size(); ++w) {
    std::size_t const tiles = sweep.waves[w].size();
    std::size_t const others = method_.tasks_beside_steps() * tiles / tiles_.size();
    in_flight = std::max(in_flight, counted * tiles + 3 * swaps[w].size() + others);
  }
  in_flight *= static_cast<std::size_t>(options_.window);
  // What other ranks read goes as soon as it is there: around a ring their first tiles wait for our
  // last.
  for (std::size_t t = 0; t < tiles_.size(); ++t) method_.submit_sends(t, stages_);
  for (std::size_t w = 0; w < sweep.waves.size(); ++w) {
    for (TileStep const& next : sweep.waves[w]) {
      auto const t = static_cast<std::size_t>(next.tile);
      std::int64_t const stage = stages_ + next.step;
      TileState& tile = tiles_[t];
      method_.submit_stage(t, stage, placement(t), {WorkClock::task_has_ended, &tile.ticket});
      if (next.step + 1 < stages) method_.submit_sends(t, stage + 1);
      if (auto const slot = slot_after_stage(stage)) {
        method_.submit_measurement(t, (stage + 1) / stages_per_step_, *slot, placement(t));
        ++measured_[*slot];
      }
    }
    for (auto const& [leaves, comes] : swaps[w])
      submit_swap_of({leaves.tile, leaves.last + 1}, {comes.tile, comes.first});
    if (!method_.stages_have_ends()) collect_measured();
    wait_until_in_flight(in_flight);
  }
  stages_ += stages;
}

std::vector<std::vector<Swap>> TileGraph::swaps_in(Sweep const& sweep) const {
  if (options_.rooms == 0) return std::vector<std::vector<Swap>>(sweep.waves.size());
  return swaps_of(sweep, options_.rooms, domain_of_tile());
}

void TileGraph::submit_swap_of(TileStep leaves, TileStep comes) const {
  auto const out = static_cast<std::size_t>(leaves.tile);
  auto const in = static_cast<std::size_t>(comes.tile);
  auto const leaving = method_.residents(out, stages_ + leaves.step);
  auto const coming = method_.residents(in, stages_ + comes.step);
  unsigned const memory = options_.domains[static_cast<std::size_t>(tiles_[in].domain)].memory();
  for (std::size_t i = 0; i < leaving.size(); ++i) submit_swap(*leaving[i], *coming[i], memory);
}

WorkClock::Ticket TileGraph::activity(std::size_t tile) const {
  return balancer_.clock().read(tiles_[tile].ticket);
}

void TileGraph::wait() { check_starpu(starpu_task_wait_for_all(), "starpu_task_wait_for_all"); }

std::size_t TileGraph::bytes_in_use() const {
  // StarPU counts what it allocates against the limit of each memory.
  auto const allocated = [](unsigned memory) {
    starpu_ssize_t const limit = starpu_memory_get_total(memory);
    return limit > 0 ? static_cast<std::size_t>(limit - starpu_memory_get_available(memory)) : 0;
  };
  std::size_t bytes = 0;
  for (Domain const& domain : options_.domains) {
    bytes += allocated(domain.memory());
    if (!domain.is_gpu()) bytes += method_.bytes_beside_buffers();
  }
  return bytes;
}

}  // namespace tessera
