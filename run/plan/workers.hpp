// SPDX-License-Identifier: MIT
// Who computes a flow, and where its tiles may live.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "graph/domain.hpp"

namespace tessera {

/// What a flow is prepared for.
struct Workers {
  unsigned cores = 1;
  unsigned gpus = 0;
  double cores_share = 0;      ///< of the work, beside GPUs
  std::size_t gpu_bytes = 0;   ///< memory for lattices on each GPU; 0: enough
  bool beside_others = false;  ///< other processes compute too

  /// Several GPUs, and nobody else: where no other processes are, their tiles stand in a row
  /// (partition/row_cut.hpp).
  bool several_gpus() const { return gpus > 1 && cores_share == 0; }
  /// GPUs, and nobody else, that wait for what others send, be they of this process or of others.
  bool gpus_exchange() const {
    return several_gpus() || (beside_others && gpus > 0 && cores_share == 0);
  }
};

/// Where the tiles of a flow prepared so may live; needs a Runtime.
std::vector<Domain> domains_of(Workers const& workers);

/// What to call them, in the same order.
std::vector<std::string> domain_names(Workers const& workers);

}  // namespace tessera
