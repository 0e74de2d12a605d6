// SPDX-License-Identifier: MIT
#include "graph/balance/balancer.hpp"

namespace tessera {
namespace {

/// What a GPU's thread does for a task, whatever its size: launches, dependencies, transfers. Small
/// tiles are cheap on cores only.
constexpr double gpu_task_s = 50e-6;

/// In the first steps of a tile, some of them still in flight, workers touch their memory and plan.
constexpr std::int64_t first_fair_step = 16;

}  // namespace

std::vector<DomainSpeed> domain_speeds(std::vector<Domain> const& domains,
                                       std::vector<WorkClock::Use> const& before,
                                       std::vector<WorkClock::Use> const& after) {
  std::vector<DomainSpeed> speeds;
  for (Domain const& domain : domains) {
    DomainSpeed speed{.workers = domain.workers.size(),
                      .least_task_s = domain.is_gpu() ? gpu_task_s : 0};
    std::vector<double> of_workers;
    for (int const worker : domain.workers) {
      auto const w = static_cast<std::size_t>(worker);
      double const busy = after[w].busy_s - before[w].busy_s;
      auto const work = static_cast<double>(after[w].work - before[w].work);
      of_workers.push_back(busy > 0 ? work / busy : 0);
    }
    speed.work_per_second = speed_together(of_workers);
    speeds.push_back(speed);
  }
  return speeds;
}

bool Balancer::due() const {
  constexpr std::chrono::milliseconds interval{200};
  return std::chrono::steady_clock::now() - looked_ >= interval;
}

BalanceFindings Balancer::look(std::int64_t step, std::vector<Domain> const& domains,
                               std::vector<TileLoad> const& loads) {
  std::vector<WorkClock::Use> const used = clock_.uses();
  if (step < cut_at_ + first_fair_step) {
    used_before_ = used;
    return {};
  }
  auto const now = std::chrono::steady_clock::now();
  std::vector<DomainSpeed> speeds = domain_speeds(domains, used_before_, used);
  if (!idle_.complete(speeds, loads, std::chrono::duration<double>(now - began_).count()))
    return {};
  looked_ = now;
  used_before_ = used;
  BalanceFindings found{.moves = balancing_moves(loads, speeds),
                        .loads = domain_loads(loads, speeds)};
  std::vector<TileLoad> moved = loads;
  for (Move const& move : found.moves) moved[static_cast<std::size_t>(move.tile)].domain = move.to;
  found.moved = domain_loads(moved, speeds);
  return found;
}

std::vector<double> Balancer::judge(std::int64_t step, BalanceFindings const& found) {
  if (found.loads.empty()) return {};
  double const unequal = imbalance(found.loads);
  BalanceLook look{.step = step,
                   .seconds = std::chrono::duration<double>(looked_ - began_).count(),
                   .imbalance = unequal,
                   .largest_imbalance = unequal,
                   .moves = static_cast<std::int64_t>(found.moves.size())};
  for (DomainLoad const& domain : found.loads) look.speeds.push_back(domain.speed.work_per_second);
  report_.history.add(look);
  return new_cut_.look(step, found.moved);
}

void Balancer::note_move(std::size_t bytes) {
  ++report_.moves;
  report_.bytes_moved += bytes;
}

void Balancer::note_cut(std::int64_t step, double seconds, std::size_t bytes) {
  cut_at_ = step;
  new_cut_.note_cut(seconds);
  ++report_.cuts;
  report_.cut_seconds += seconds;
  report_.bytes_cut += bytes;
}

}  // namespace tessera
