// SPDX-License-Identifier: MIT
// The tasks that take a tile of a gas from stage to stage.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "codelets/spectral/clock.hpp"
#include "codelets/spectral/core_kernels.hpp"
#include "codelets/spectral/numbers.hpp"
#include "graph/tasks/submit.hpp"

namespace tessera::spectral {

/// Constant arguments of a tile's tasks of one stage of a step.
struct StageArguments {
  TileCounts counts;
  Numbers numbers = Numbers::float64;
  GasParameters parameters;
  Stage stage;
  bool with_speeds = false;
  CoreKernels const* kernels = nullptr;
};

/// Data of a stage. Numbers are as `numbers` says.
struct StageHandles {
  DataHandle const& state;
  DataHandle const& kept;
  DataHandle const& traces;       ///< of the state before it
  DataHandle const& next_traces;  ///< of the state after it
  DataHandle const& tables;
  DataHandle const& clock;
  DataHandle const& speeds;                     ///< if arguments say so
  std::span<DataHandle const* const> outboxes;  ///< of the state after it
  std::span<DataHandle const* const> inboxes;
};

/// RW state; W, R or RW kept, as the stage does; R traces; W next traces; R tables; R clock; W
/// double [packs] speeds; W outboxes; R inboxes. The arguments outlive the task.
void submit_gas_stage(StageHandles const& handles, StageArguments const& arguments,
                      Placement const& placement, Callback const& callback);

/// Publishes what neighbours and the clock read of the current state: R state, W traces, R tables,
/// W speeds, W kept (which is filled, so that it can be moved), W outboxes. The arguments outlive
/// the task.
void submit_publication(StageHandles const& handles, StageArguments const& arguments,
                        Placement const& placement);

/// Arguments of the task that sets a tile's initial state. Several of these tasks may run at once,
/// so each has a copy of the function.
struct InitialArguments {
  MeshOfGas const* of = nullptr;
  std::vector<std::int32_t> const* packs = nullptr;  ///< of the tile
  TileCounts counts;
  Numbers numbers = Numbers::float64;
  std::function<Primitive<double>(Point const&)> at;
};

/// W state, R tables; on a core. What the pointers point to outlives the task.
void submit_initial_state(DataHandle const& state, DataHandle const& tables,
                          InitialArguments arguments, Placement const& placement);

}  // namespace tessera::spectral
