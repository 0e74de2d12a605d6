// SPDX-License-Identifier: MIT
#include "graph/balance/idle_domains.hpp"

#include <algorithm>

namespace tessera {

bool IdleDomains::complete(std::vector<DomainSpeed>& speeds, std::vector<TileLoad> const& tiles,
                           double now_s) {
  std::vector<bool> has_tiles(speeds.size(), false);
  for (TileLoad const& tile : tiles) has_tiles[static_cast<std::size_t>(tile.domain)] = true;
  for (std::size_t d = 0; d < speeds.size(); ++d) {
    if (has_tiles[d] && speeds[d].work_per_second <= 0) return false;
  }
  records_.resize(speeds.size());
  for (std::size_t d = 0; d < speeds.size(); ++d) {
    Record& record = records_[d];
    double& speed = speeds[d].work_per_second;
    if (has_tiles[d]) {
      record.best = std::max(record.best, speed);
      record.idle_s = -1;
      continue;
    }
    speed = 0;
    if (record.idle_s < 0) record.idle_s = now_s;
    if (now_s - record.idle_s < record.patience_s) continue;
    speed = record.best;
    record.idle_s = now_s;
    record.patience_s *= 2;
  }
  return true;
}

}  // namespace tessera
