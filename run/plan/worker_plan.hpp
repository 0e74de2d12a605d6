// SPDX-License-Identifier: MIT
// Who is to compute: the GPUs, the cores, or both.
#pragma once

#include <cstdint>
#include <string>

#include "base/storage.hpp"
#include "graph/runtime/cores.hpp"
#include "run/plan/speeds.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

/// What the user asks for.
struct WorkersAsked {
  int gpus = -1;                    ///< -1: all there are that shorten a step
  int cores = -1;                   ///< -1: none beside GPUs, else all
  bool cores_if_they_help = false;  ///< beside GPUs as many as help
};

/// From `--gpus` and `--cores`: a number, or "auto", or nothing, which is the same. Throws
/// BadInput.
WorkersAsked workers_asked(int gpus, std::string const& cores);

/// Cores that may compute beside GPUs: each GPU's driver thread needs one, and so does the thread
/// that submits; without them everything stutters.
unsigned cores_beside(unsigned gpus, unsigned cores_present);

/// Of so many GPUs those that shorten a step of all nodes: on fewer nodes each would wait for the
/// others longer than it computes (docs/performance.md).
unsigned gpus_that_help(std::int64_t nodes, unsigned gpus);

/// What is asked for; unsaid, all cores that may compute.
unsigned cores_or_all(WorkersAsked const& asked, unsigned gpus);

struct WorkerPlan {
  Workers workers;
  std::string reason;  ///< why cores compute beside GPUs, or do not; empty where there is no choice
};

/// Whether cores help beside GPUs, and what share of the work they get: in proportion to the
/// speeds. They do not where they would add less than the exchange with them costs.
WorkerPlan plan_workers(WorkersAsked const& asked, unsigned gpus, std::int64_t nodes,
                        Speeds const& speeds);

/// The number of GPUs to use: `asked_for`, or all there are if that is negative. Throws BadInput if
/// there are fewer.
int choose_gpus(int asked_for);

/// Throws BadInput for more GPUs or cores than there are, or neither.
void check_workers(WorkersAsked const& asked);

/// The same, checked, and with this machine's speeds where they matter. There must be no Runtime.
WorkerPlan plan_workers(WorkersAsked const& asked, std::int64_t nodes, Precision precision);

}  // namespace tessera
