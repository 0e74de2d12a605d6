// SPDX-License-Identifier: MIT
// The GPUs and cores of a host that this process uses, where several processes of a run share it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tessera {

struct HostShare {
  std::vector<int> gpus;       ///< in CUDA's count
  bool gpu_is_shared = false;  ///< with another process of the run
  bool sees_all = true;        ///< the GPUs that the other processes of its host see
  bool bound = false;          ///< to cores of its own, by the launcher
  unsigned cores = 1;          ///< unless the environment says otherwise
};

/// The share of this process; a single process has all GPUs and cores.
HostShare const& host_share();

/// All ranks, first of all: divides GPUs and cores among the processes of each host, where the
/// launcher has not done so.
void divide_hosts();

/// Collective, after divide_hosts(): whether all processes are on one host and see the same GPUs,
/// so that rank 0 could compute with what all have.
bool are_on_one_host();
/// Collective, where all are_on_one_host(): rank 0 does the work as a single process would, with
/// the cores and GPUs of all; the others wait. Returns what `work` has returned.
int first_with_all(std::function<int()> const& work);

/// "rank 1: node7, GPU 1, 15 cores"
std::string describe_rank();

}  // namespace tessera
