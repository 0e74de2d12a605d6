// SPDX-License-Identifier: MIT
#include "permeability/studies/sub_volumes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>

#include "base/errors.hpp"
#include "base/machine/gpu_start.hpp"
#include "base/machine/thread_team.hpp"
#include "base/settings.hpp"
#include "graph/runtime/main_memory.hpp"
#include "graph/runtime/runtime.hpp"
#include "permeability/flows/solver_choice.hpp"

namespace tessera {
namespace {

/// A number of [0, below), the same for any standard library.
std::int64_t draw(std::mt19937_64& random, std::int64_t below) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
}

struct Task {
  SubVolume where;
  Axis axis = Axis::x;
};

/// How a thread computes what it takes.
struct Lane {
  Workers workers;
  int gpu = -1;
};

/// Largest first: what comes last leaves others without work for a short time only.
std::vector<Task> in_order(std::span<SubVolume const> parts, std::vector<Axis> const& axes) {
  std::vector<Task> tasks;
  for (SubVolume const& where : parts) {
    for (Axis const axis : axes) tasks.push_back({where, axis});
  }
  std::ranges::stable_sort(tasks, std::greater{}, [](Task const& t) { return t.where.edge; });
  return tasks;
}

/// As many as fit. Beside a GPU's own work there is much for cores to do: cutting out, labelling.
std::vector<Lane> lanes_for(Geometry const& image, std::vector<Task> const& tasks,
                            PermeabilityCase const& asked, Workers const& workers) {
  std::int64_t const edge = tasks.front().where.edge + 2 * asked.buffer_layers;
  double const nodes =
      std::max(1.5 * image.porosity(), 0.1) * static_cast<double>(edge * edge * edge);
  auto const bytes = static_cast<std::size_t>(
      std::max<std::int64_t>(bytes_to_solve(static_cast<std::int64_t>(nodes), asked.precision), 1));
  bool const on_gpus = workers.gpus > 0 && bytes <= Runtime::gpu_bytes();
  Workers const without{.cores = workers.cores};
  std::size_t const cores =
      on_gpus ? threads_allowed()
              : workers_to_solve(without, image.pore_voxels(), asked.precision).cores;
  std::size_t const room =
      on_gpus ? workers.gpus * (Runtime::gpu_bytes() / bytes) : main_memory_available() / bytes;
  std::size_t const side_by_side = std::clamp<std::size_t>(std::min(room, tasks.size()), 1, cores);
  std::vector<Lane> lanes(side_by_side);
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    // The first ones get one more where they do not come out even.
    lanes[l].workers.cores = static_cast<unsigned>((cores + side_by_side - 1 - l) / side_by_side);
    if (!on_gpus) continue;
    lanes[l].workers.gpus = 1;
    lanes[l].gpu = static_cast<int>(l % workers.gpus);
  }
  return lanes;
}

}  // namespace

std::vector<SubVolume> choose_sub_volumes(Int3 shape, std::int64_t edge, std::int64_t count,
                                          std::uint64_t seed) {
  for (Axis const a : all_axes) {
    if (edge > shape[a])
      throw BadInput(fmt::format("{} {}: expected at most {}, as the image is {} x {} x {}",
                                 setting_name("edges"), edge, std::min({shape.x, shape.y, shape.z}),
                                 shape.x, shape.y, shape.z));
  }
  std::mt19937_64 random(seed);
  Int3 const cells{shape.x / edge, shape.y / edge, shape.z / edge};
  Int3 first;
  for (Axis const a : all_axes) first[a] = (shape[a] - cells[a] * edge) / 2;
  std::vector<std::int64_t> order(static_cast<std::size_t>(volume(cells)));
  std::iota(order.begin(), order.end(), 0);
  for (auto i = static_cast<std::int64_t>(order.size()) - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(draw(random, i + 1))]);
  std::vector<SubVolume> chosen;
  for (std::int64_t const cell : order) {
    if (static_cast<std::int64_t>(chosen.size()) == count) break;
    Int3 const at{cell % cells.x, cell / cells.x % cells.y, cell / cells.x / cells.y};
    chosen.push_back({first + Int3{at.x * edge, at.y * edge, at.z * edge}, edge});
  }
  // A cube as large as the image is one only.
  bool const can_move = shape.x > edge || shape.y > edge || shape.z > edge;
  while (can_move && static_cast<std::int64_t>(chosen.size()) < count) {
    Int3 lower;
    for (Axis const a : all_axes) lower[a] = draw(random, shape[a] - edge + 1);
    chosen.push_back({lower, edge});
  }
  return chosen;
}

Geometry cut_out(Geometry const& image, SubVolume const& where) {
  std::int64_t const edge = where.edge;
  Geometry part{{edge, edge, edge}, {}, {}};
  part.pore.reserve(static_cast<std::size_t>(edge * edge * edge));
  for (std::int64_t z = 0; z < edge; ++z) {
    for (std::int64_t y = 0; y < edge; ++y) {
      auto const row = image.pore.begin() + static_cast<std::ptrdiff_t>(linear_index(
                                                image.shape, where.lower + Int3{0, y, z}));
      part.pore.insert(part.pore.end(), row, row + edge);
    }
  }
  return part;
}

std::vector<SubVolumeAnswer> answer_sub_volumes(
    Geometry const& image, std::span<SubVolume const> parts, std::vector<Axis> const& axes,
    PermeabilityCase const& asked, Workers const& workers, std::atomic<bool> const& stop,
    std::function<void(SubVolumeAnswer const&)> const& note) {
  std::vector<Task> const tasks = in_order(parts, axes);
  if (tasks.empty()) return {};
  std::vector<Lane> const lanes = lanes_for(image, tasks, asked, workers);
  std::vector<std::optional<SubVolumeAnswer>> answers(tasks.size());
  std::mutex mutex;
  auto const solve = [&](unsigned l, std::int64_t t) {
    if (stop) return;
    Lane const& lane = lanes[l];
    ThreadLimit const limit(lane.workers.cores);
    if (lane.gpu >= 0) make_gpu_current(lane.gpu);
    auto const& [where, axis] = tasks[static_cast<std::size_t>(t)];
    SubVolumeAnswer found{solve_image(cut_out(image, where), axis, asked, lane.workers, stop),
                          where, axis};
    if (stop && !found.answered()) return;
    std::scoped_lock const lock(mutex);
    auto& answer = answers[static_cast<std::size_t>(t)];
    answer = std::move(found);
    note(*answer);
  };
  by_threads(static_cast<unsigned>(lanes.size()), static_cast<std::int64_t>(tasks.size()), solve);
  std::vector<SubVolumeAnswer> found;
  for (auto& one : answers) {
    if (one) found.push_back(std::move(*one));
  }
  std::ranges::stable_sort(found, {}, [](SubVolumeAnswer const& a) { return a.where.edge; });
  return found;
}

}  // namespace tessera
