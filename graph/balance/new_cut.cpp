// SPDX-License-Identifier: MIT
#include "graph/balance/new_cut.hpp"

#include <algorithm>
#include <map>

namespace tessera {

double ideal_step_seconds(std::vector<DomainLoad> const& loads) {
  double work = 0;
  double speed = 0;
  for (DomainLoad const& domain : loads) {
    work += domain.work;
    speed += domain.speed.work_per_second;
  }
  if (speed <= 0) return 0;
  double longest = work / speed;
  for (DomainLoad const& domain : loads) {
    // At least one: each domain has a share.
    auto const tiles = static_cast<double>(std::max(domain.tiles, std::int64_t{1}));
    longest = std::max(
        longest, domain.speed.least_task_s * tiles / static_cast<double>(domain.speed.workers));
  }
  return longest;
}

bool worth_cutting_anew(std::vector<DomainLoad> const& loads, double cut_seconds, double horizon,
                        NewCutRules const& rules) {
  if (std::ranges::any_of(loads, [](DomainLoad const& d) { return d.speed.work_per_second <= 0; }))
    return false;
  double const ideal = ideal_step_seconds(loads);
  double const gain = step_seconds(loads) - ideal;
  return gain > rules.least_gain * ideal &&
         gain * std::max(horizon, rules.least_horizon) > cut_seconds;
}

double bytes_for_cut(double held, double coming, double in_main_memory) {
  return std::max({held, held + coming - in_main_memory, 2 * coming - in_main_memory});
}

std::vector<double> NewCutWatch::look(std::int64_t step, std::vector<DomainLoad> const& loads) {
  std::map<std::int32_t, double> bytes;  // processes move theirs at the same time
  double speed = 0;
  for (DomainLoad const& domain : loads) {
    bytes[domain.rank] += domain.bytes;
    speed += domain.speed.work_per_second;
  }
  double most_bytes = 0;
  for (auto const& [rank, of_rank] : bytes) most_bytes = std::max(most_bytes, of_rank);
  if (!worth_cutting_anew(loads, cut_seconds(most_bytes), static_cast<double>(step), rules_)) {
    looks_ = 0;
    return {};
  }
  if (looks_ == 0) sum_of_shares_.assign(loads.size(), 0);
  for (std::size_t d = 0; d < loads.size(); ++d)
    sum_of_shares_[d] += loads[d].speed.work_per_second / speed;
  if (++looks_ < rules_.looks) return {};
  std::vector<double> shares = sum_of_shares_;
  for (double& share : shares) share /= looks_;
  looks_ = 0;
  return shares;
}

void NewCutWatch::note_cut(double seconds) {
  last_cut_s_ = seconds;
  looks_ = 0;
  rules_.looks *= 2;
}

double NewCutWatch::cut_seconds(double bytes) const {
  return last_cut_s_ > 0 ? last_cut_s_ : bytes / rules_.lattice_bytes_per_s;
}

}  // namespace tessera
