// SPDX-License-Identifier: MIT
#include "run/plan/sweeps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "base/ranks/together.hpp"
#include "codelets/lattice/measure.hpp"
#include "run/console/log.hpp"

namespace tessera {

std::int64_t bytes_on_gpus(std::int64_t nodes, Precision precision, LatticeKind lattice) {
  return nodes * velocities_of(lattice).size * static_cast<std::int64_t>(bytes_of(precision)) * 5 /
         4;
}

SlabBytes bytes_of_slabs(Tiling const& tiling, Precision precision) {
  auto const value = static_cast<std::int64_t>(bytes_of(precision));
  SlabBytes bytes;
  std::vector<std::int64_t> always;                      // by part
  std::set<std::pair<std::int32_t, std::int32_t>> read;  // outboxes of other ranks, by part
  auto const always_of = [&](std::int32_t part) -> std::int64_t& {
    auto const at = static_cast<std::size_t>(part);
    if (at >= always.size()) always.resize(at + 1, 0);
    return always[at];
  };
  for (Tile const& tile : tiling.tiles) {
    bytes.lattice =
        std::max(bytes.lattice, static_cast<std::int64_t>(tile.population_values) * value);
    bytes.moved = std::max(bytes.moved, static_cast<std::int64_t>(tile.kept_values) * value);
    always_of(tile.part) += static_cast<std::int64_t>(
        tile.tables.size() + tile.counts.blocks * (2 * sizeof(BlockSums) + sizeof(AverageBox)));
    for (Outbox const& outbox : tile.outboxes) {
      // An outbox exists twice, for alternate steps; the part that reads it has a copy.
      std::int64_t const both = 2 * value * static_cast<std::int64_t>(outbox.values);
      always_of(tile.part) += both;
      if (outbox.part != Outbox::all_parts && outbox.part != tile.part)
        always_of(outbox.part) += both;
    }
    for (std::int32_t const f : tile.foreign) {
      if (read.emplace(tile.part, f).second)
        always_of(tile.part) += 2 * value * tiling.foreign[static_cast<std::size_t>(f)].values;
    }
  }
  bytes.always = *std::ranges::max_element(always);
  return bytes;
}

std::int32_t rooms_in(std::int64_t gpu_bytes, SlabBytes const& slabs) {
  // Rooms for second lattices: of the two tasks in a GPU's pipeline, of the old lattices until they
  // are given back, and of a functional, which reads two states. With fewer rooms StarPU evicts
  // slabs that are still needed; where only few slabs fit, more steps of a sweep are worth that.
  constexpr std::int32_t fewest = 3, enough = 7;
  constexpr double usable = 0.98;  // StarPU allocates in pieces
  auto const left =
      static_cast<std::int64_t>(usable * static_cast<double>(gpu_bytes)) - slabs.always;
  auto const fit = static_cast<std::int32_t>(std::max<std::int64_t>(left / slabs.lattice, 0));
  return fit - std::clamp(fit / 2, fewest, enough);
}

int most_steps(std::int32_t rooms) {
  constexpr std::int32_t on_their_way = 2;
  return std::max(rooms - on_their_way, 0);
}

namespace {

/// The GPUs of all ranks, which share a lattice.
struct AllGpus {
  std::vector<std::int32_t> of_rank;
  std::int32_t count = 0;
  std::int32_t on_a_host = 0;  ///< on the host that has most
  std::int64_t bytes = 0;      ///< memory of the GPU that has least
};

/// Collective: called by all ranks.
AllGpus gpus_of_all(Workers const& workers) {
  AllGpus all;
  for (std::int64_t const gpus : Ranks::all_gather(workers.gpus))
    all.of_rank.push_back(static_cast<std::int32_t>(gpus));
  all.count = std::accumulate(all.of_rank.begin(), all.of_rank.end(), 0);
  all.on_a_host = static_cast<std::int32_t>(
      Ranks::maximum(std::int64_t{workers.gpus} * Ranks::count_on_host()));
  constexpr std::int64_t enough = std::numeric_limits<std::int64_t>::max();
  auto const here = static_cast<std::int64_t>(workers.gpu_bytes);
  all.bytes = -Ranks::maximum(-(here > 0 ? here : enough));
  return all;
}

/// Collective: the largest values of all ranks.
SlabBytes largest_of_all(SlabBytes const& here) {
  return {.lattice = Ranks::maximum(here.lattice),
          .moved = Ranks::maximum(here.moved),
          .always = Ranks::maximum(here.always)};
}

/// A sweep plan and its cost.
struct Candidate {
  SweepPlan plan;
  double bytes_per_step = 0;  ///< across the bus of a GPU, each way
  double seconds_per_step = 0;
};

/// Seconds of a step of all slabs: the slower of the buses of a host and the thread that submits,
/// which are busy at the same time.
double seconds_of_step(double bytes_of_gpu, double gpus_on_host, double tasks) {
  // Measured on two H100s (docs/performance.md): rates each way, with both ways in use, of a GPU's
  // bus and of main memory, which all GPUs share; a task with its transfers.
  constexpr double bytes_per_second = 44e9, of_main_memory = 60e9, seconds_per_task = 75e-6;
  return std::max(bytes_of_gpu / std::min(bytes_per_second, of_main_memory / gpus_on_host),
                  tasks * seconds_per_task);
}

/// Collective: slabs of so many levels, and as many steps on them as there is room for, or as asked
/// for. None if there is no room, or if a rank would have no slab.
std::optional<Candidate> candidate(BlockGrid const& grid, TileOfBlock const& parts,
                                   SlabDirection const& along, std::int32_t levels,
                                   AllGpus const& gpus, TilesAsked const& asked) {
  // Decisions end a sweep, at first every so many steps; longer sweeps gain little.
  constexpr int enough_steps = 20;
  Slabs slabs = cut_into_layers(grid, parts, along, levels);
  if (!Ranks::alone()) slabs = over_ranks(std::move(slabs), gpus.of_rank);
  for (int rank = 0; rank < Ranks::count(); ++rank) {
    if (levels_of_rank(slabs, rank).of_tile.empty()) return std::nullopt;
  }
  auto const own_gpus =
      static_cast<std::size_t>(gpus.of_rank[static_cast<std::size_t>(Ranks::rank())]);
  Tiling const tiling = together([&] {
    return build_tiling(grid, slabs.cut, std::vector<Layout>(own_gpus, Layout::together),
                        Ranks::rank());
  });
  SlabBytes const bytes = largest_of_all(bytes_of_slabs(tiling, asked.precision));
  std::int32_t const rooms = rooms_in(gpus.bytes, bytes);
  std::int32_t const n = slabs.levels.count;
  bool const ring = slabs.levels.ring;
  int const most = std::min(most_steps(rooms), ring ? n - 1 : n);
  int const steps =
      asked.steps_per_sweep > 0 ? asked.steps_per_sweep : std::min(most, enough_steps);
  if (steps < 1 || steps > most) return std::nullopt;
  // Steps up to a decision are taken in sweeps of equal length.
  int const sweeps = (enough_steps + steps - 1) / steps;
  int const all_visits = ring ? sweeps * (n - 1) + enough_steps : sweeps * n;
  double const moved = std::max(all_visits - sweeps * rooms, 0) / double{enough_steps};
  double const bytes_per_step = moved * static_cast<double>(bytes.moved);
  auto const tasks =
      static_cast<double>(Ranks::maximum(static_cast<std::int64_t>(tiling.tiles.size())));
  return Candidate{{.steps = steps, .slabs = std::move(slabs), .rooms = rooms},
                   bytes_per_step,
                   seconds_of_step(bytes_per_step, gpus.on_a_host, tasks)};
}

}  // namespace

SweepPlan plan_sweeps(BlockGrid const& grid, BlockGraph const& graph, std::array<bool, 3> periodic,
                      Workers const& workers, TilesAsked const& asked) {
  SweepPlan plain{.steps = std::max(1, asked.steps_per_sweep)};
  AllGpus const gpus = gpus_of_all(workers);
  if (std::ranges::find(gpus.of_rank, 0) != gpus.of_rank.end()) return plain;
  std::int64_t const needed =
      bytes_on_gpus(grid.nodes() / gpus.count, asked.precision, grid.lattice());
  if (needed <= gpus.bytes) return plain;
  std::string const misfit =
      fmt::format("the lattice does not fit into GPU memory, {:.1f} GB where there are {:.1f}",
                  static_cast<double>(needed) * 1e-9, static_cast<double>(gpus.bytes) * 1e-9);

  SlabDirection const along = slab_direction(grid, periodic);
  TileOfBlock const parts = share_layers(grid, graph, along.axis, gpus.count);
  // Thick slabs have smaller halos and fewer tasks, thin ones allow more steps: beyond the best
  // thickness both ways are worse.
  constexpr std::int64_t thickest = 4;  // layers
  std::optional<Candidate> best;
  std::int64_t last = 0;
  for (std::int64_t thickness = 1; thickness <= thickest; ++thickness) {
    std::int64_t const levels = asked.tiles > 0
                                    ? std::max<std::int64_t>(asked.tiles / gpus.count, 1)
                                    : (along.layers + thickness - 1) / thickness;
    if (levels == last) break;
    last = levels;
    auto next = candidate(grid, parts, along, static_cast<std::int32_t>(levels), gpus, asked);
    if (best && (!next || next->seconds_per_step >= best->seconds_per_step)) break;
    if (next) best = std::move(next);
  }
  if (!best) {
    log_warning("{}, and no room for {} on a slab at a time: StarPU moves tiles as it likes",
                misfit, plain.steps > 1 ? fmt::format("{} steps", plain.steps) : "even 1 step");
    return plain;
  }
  log_info(
      "{}: {} steps on a slab at a time, {} of {} slabs along {} on each GPU, {:.2f} GB a "
      "step across its bus each way",
      misfit, best->plan.steps, best->plan.rooms, best->plan.slabs->levels.count,
      name_of(along.axis), best->bytes_per_step * 1e-9);
  return std::move(best->plan);
}

}  // namespace tessera
