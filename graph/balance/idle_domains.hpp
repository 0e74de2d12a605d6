// SPDX-License-Identifier: MIT
// Domains that have lost all their tiles, because something slowed them down: without tiles they
// are not measured, so that a recovery would not be noticed. Numbers in, numbers out: no StarPU
// here.
#pragma once

#include <vector>

#include "graph/balance/balance.hpp"

namespace tessera {

class IdleDomains {
 public:
  /// Completes measured speeds. A domain without tiles has speed 0, so that it neither loses nor
  /// gets tiles; but now and then, less and less often, it is credited with its best speed so far,
  /// so that tiles come back and its speed is measured. Returns false, and does nothing, if a
  /// domain with tiles has not been measured. `now_s`: since any beginning.
  bool complete(std::vector<DomainSpeed>& speeds, std::vector<TileLoad> const& tiles, double now_s);

 private:
  struct Record {
    double best = 0;     ///< work per second
    double idle_s = -1;  ///< since when, or since the last try; < 0: not idle
    double patience_s = 5;
  };
  std::vector<Record> records_;
};

}  // namespace tessera
