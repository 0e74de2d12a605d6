// SPDX-License-Identifier: MIT
// The workers of a flow, and the domains of its tiles.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "graph/domain.hpp"

namespace tessera {

/// The workers that a flow is prepared for.
struct Workers {
  unsigned cores = 1;
  unsigned gpus = 0;
  double cores_share = 0;      ///< of the work, beside GPUs
  std::size_t gpu_bytes = 0;   ///< memory for lattices on each GPU; 0: enough
  bool beside_others = false;  ///< other processes compute too
  /// The GPU is the one that is current in the thread.
  bool on_current_gpu = false;
  int flows_beside = 0;  ///< others that are computed on it at the same time

  /// Several GPUs, and no cores: without other processes, their tiles are cut in a row
  /// (partition/row_cut.hpp).
  bool several_gpus() const { return gpus > 1 && cores_share == 0; }
  /// GPUs, and no cores, which exchange halos with other GPUs of this process or with other
  /// processes.
  bool gpus_exchange() const {
    return several_gpus() || (beside_others && gpus > 0 && cores_share == 0);
  }
};

/// The domains of the tiles of a flow that is prepared for these workers; needs a Runtime.
std::vector<Domain> domains_of(Workers const& workers);

/// Names of the domains, in the same order.
std::vector<std::string> domain_names(Workers const& workers);

}  // namespace tessera
