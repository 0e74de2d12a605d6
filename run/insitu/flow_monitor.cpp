// SPDX-License-Identifier: MIT
#include "run/insitu/flow_monitor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "base/machine/seconds_since.hpp"
#include "base/ranks/ranks.hpp"
#include "run/node_flow.hpp"

namespace tessera {
namespace {

/// Collective: by how much the busiest worker is above the mean of those that have worked;
/// `before` are the busy times of the last look, s. Nothing if no worker was busy.
std::optional<double> imbalance_of(std::span<WorkClock::Use const> uses,
                                   std::span<double const> before) {
  std::int64_t most = 0;                            // ns
  std::array<std::int64_t, 2> sum_and_count{0, 0};  // ns, workers
  for (std::size_t w = 0; w < uses.size(); ++w) {
    if (uses[w].work == 0) continue;
    std::int64_t const busy = std::llround(1e9 * (uses[w].busy_s - before[w]));
    most = std::max(most, busy);
    sum_and_count[0] += busy;
    ++sum_and_count[1];
  }
  most = Ranks::maximum(most);
  Ranks::sum(sum_and_count);
  auto const [sum, count] = sum_and_count;
  if (sum <= 0) return std::nullopt;
  return static_cast<double>(most) * static_cast<double>(count) / static_cast<double>(sum) - 1;
}

}  // namespace

void FlowMonitor::begin() {
  tiles_busy_.clear();
  workers_busy_.clear();
}

void FlowMonitor::add_work(RunningFlow const& flow, MonitorRow& row) {
  std::int64_t const step = flow.steps();
  std::vector<WorkClock::Use> const uses = flow.worker_uses();
  if (step > step_ && workers_busy_.size() == uses.size()) {
    row.mflups = static_cast<double>(flow.nodes()) * static_cast<double>(step - step_) /
                 seconds_since(looked_) * 1e-6;
    if (auto const imbalance = imbalance_of(uses, workers_busy_)) row.imbalance = *imbalance;
  }
  step_ = step;
  looked_ = Clock::now();
  workers_busy_.clear();
  for (WorkClock::Use const& use : uses) workers_busy_.push_back(use.busy_s);
}

std::vector<TileRow> FlowMonitor::tiles(RunningFlow const& flow, Int3 lower) {
  auto const* const nodes = dynamic_cast<NodeFlow const*>(&flow);
  std::vector<TileReport> const reports =
      nodes != nullptr ? nodes->tile_reports() : std::vector<TileReport>{};
  auto const of_ranks = Ranks::all_gather(static_cast<std::int64_t>(reports.size()));
  auto const first = static_cast<std::int32_t>(
      std::accumulate(of_ranks.begin(), of_ranks.begin() + Ranks::rank(), std::int64_t{0}));
  std::vector<TileRow> rows;
  tiles_busy_.resize(reports.size(), 0);
  for (TileReport const& report : reports) {
    std::size_t const t = rows.size();
    // Tiles that have been cut anew begin to count again.
    double const before = std::min(tiles_busy_[t], report.busy_s);
    rows.push_back({report.lower - lower, report.upper - lower,
                    first + static_cast<std::int32_t>(t), report.domain, report.worker,
                    report.busy_s - before, report.nodes});
    tiles_busy_[t] = report.busy_s;
  }
  return rows;
}

}  // namespace tessera
