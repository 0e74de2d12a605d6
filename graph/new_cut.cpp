// SPDX-License-Identifier: MIT
#include "graph/new_cut.hpp"

#include <algorithm>

namespace tessera {

double ideal_step_seconds(std::vector<TileLoad> const& tiles,
                          std::vector<DomainSpeed> const& speeds) {
  double work = 0;
  double speed = 0;
  for (TileLoad const& tile : tiles) work += tile.work;
  for (DomainSpeed const& domain : speeds) speed += domain.work_per_second;
  if (speed <= 0) return 0;
  double longest = work / speed;
  for (std::size_t d = 0; d < speeds.size(); ++d) {
    auto const own = std::ranges::count(tiles, static_cast<std::int32_t>(d), &TileLoad::domain);
    // At least one: each domain has a share.
    longest = std::max(longest, speeds[d].least_task_s * static_cast<double>(std::max(own, 1L)) /
                                    static_cast<double>(speeds[d].workers));
  }
  return longest;
}

bool worth_cutting_anew(std::vector<TileLoad> const& tiles, std::vector<DomainSpeed> const& speeds,
                        double cut_seconds, double horizon, NewCutRules const& rules) {
  if (std::ranges::any_of(speeds, [](DomainSpeed const& s) { return s.work_per_second <= 0; }))
    return false;
  double const ideal = ideal_step_seconds(tiles, speeds);
  double const gain = step_seconds(tiles, speeds) - ideal;
  return gain > rules.least_gain * ideal &&
         gain * std::max(horizon, rules.least_horizon) > cut_seconds;
}

std::vector<double> NewCutWatch::look(std::int64_t step, std::vector<TileLoad> const& tiles,
                                      std::vector<DomainSpeed> const& speeds) {
  double bytes = 0;
  double speed = 0;
  for (TileLoad const& tile : tiles) bytes += static_cast<double>(tile.bytes);
  for (DomainSpeed const& domain : speeds) speed += domain.work_per_second;
  if (!worth_cutting_anew(tiles, speeds, cut_seconds(bytes), static_cast<double>(step), rules_)) {
    looks_ = 0;
    return {};
  }
  if (looks_ == 0) sum_of_shares_.assign(speeds.size(), 0);
  for (std::size_t d = 0; d < speeds.size(); ++d)
    sum_of_shares_[d] += speeds[d].work_per_second / speed;
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
