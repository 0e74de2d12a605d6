// SPDX-License-Identifier: MIT
// The workers of a solver without steps: its work as tasks of a team.
#pragma once

#include <functional>

#include "graph/worker_team.hpp"
#include "methods/steady/steady_options.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

/// Runs a piece of the solver's work, which has a name, and returns when it has ended.
using RunPiece = std::function<void(char const* name, std::function<void()> const& work)>;

/// Each piece as a task of the team; without one, in the calling thread.
RunPiece pieces_of(WorkerTeam* team);

/// Sets who computes: the GPUs of the workers, else the team, else so many threads as cores.
void choose_workers(SteadyOptions& options, Workers const& workers, WorkerTeam* team);

}  // namespace tessera
