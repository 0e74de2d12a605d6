// SPDX-License-Identifier: MIT
// What it costs to send data to another memory and back.
#pragma once

#include <cstddef>

#include "graph/domain.hpp"

namespace tessera {

/// T = T_lat + bytes / bandwidth.
struct Bus {
  double latency_s = 0;
  double bytes_per_s = 0;  ///< 0: there is one memory, nothing is sent

  double seconds(std::size_t bytes) const {
    return bytes_per_s > 0 ? latency_s + static_cast<double>(bytes) / bytes_per_s : 0;
  }
};

/// Between main memory and the domain's, mean of both ways, as StarPU transfers. Needs a Runtime.
Bus measure_bus(Domain const& domain);

}  // namespace tessera
