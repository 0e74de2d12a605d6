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
  bool cores_if_they_help = false;  ///< as many cores beside GPUs as help
};

/// Reads `--gpus` and `--cores`; the latter is a number, or "auto" or nothing, which are the same.
/// Throws BadInput.
WorkersAsked workers_asked(int gpus, std::string const& cores);

/// Cores that may compute beside GPUs. Others are kept free: one for each GPU's driver thread, one
/// for the thread that submits, one for the rest of the machine; else everything stutters.
unsigned cores_beside(unsigned gpus, unsigned cores_present);

/// How many of the GPUs shorten a step of so many nodes: with too few nodes each, GPUs wait for
/// each other longer than they compute (docs/performance.md).
unsigned gpus_that_help(std::int64_t nodes, unsigned gpus);

/// The number of cores asked for, or else all that may compute.
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

/// Checks what is asked for, and plans with this machine's speeds where they matter. There must be
/// no Runtime.
WorkerPlan plan_workers(WorkersAsked const& asked, std::int64_t nodes, Precision precision);

}  // namespace tessera
