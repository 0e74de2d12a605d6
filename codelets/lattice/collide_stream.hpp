// SPDX-License-Identifier: MIT
// The tasks that take a tile one step on, and that set it to rest before the first.
#pragma once

#include <starpu.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "base/name_list.hpp"
#include "codelets/lattice/boundary_plan.hpp"
#include "codelets/lattice/cpu_kernels.hpp"
#include "codelets/lattice/pull_plan.hpp"
#include "codelets/lattice/step_buffers.hpp"
#include "models/lattice/flow_model.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera {

/// Constant arguments of a tile's steps; owned by the graph and alive as long as its tasks.
struct StepArguments {
  TileCounts counts;
  Precision precision = Precision::single_precision;
  FlowModel model;
  FlowParameters parameters;
  BoundaryCounts boundaries;
  BoundaryParameters boundary_parameters;
  CollideStreamKernel kernel = nullptr;  ///< for cores
  PullPlan* plan = nullptr;              ///< for cores: empty until the first step makes it
};

/// What fills the halo of a tile before a step.
enum class HaloExchange : std::uint8_t {
  fused,  ///< the task of the step
  task,   ///< a task of its own
};

inline constexpr NameList<HaloExchange, 2> halo_exchange_names{
    {{"fused", HaloExchange::fused}, {"task", HaloExchange::task}}};

/// Fills the halo from the neighbours' outboxes. The argument, StepArguments, lives as long as the
/// task.
void submit_fill_halo(HaloHandles const& halo, Argument arguments, Placement const& placement);

/// Fills the halo from the neighbours' outboxes, unless there are none: it is filled then. Pulls,
/// collides, fills the own outboxes. The argument, StepArguments, lives as long as the task.
void submit_collide_stream(StepHandles const& step, Argument arguments, Placement const& placement,
                           Callback const& callback);

/// Outboxes that the implementation for GPUs can read, and fill.
inline constexpr std::size_t most_inboxes = 60;
inline constexpr std::size_t most_outboxes = 30;

/// The initial state of all nodes of a tile; lives as long as the task.
struct InitialArguments {
  TileCounts counts;
  Precision precision = Precision::single_precision;
  LatticeKind lattice = LatticeKind::d3q19;
  /// Shifted populations, by velocity; all zero: a fluid at rest at density 1.
  std::array<double, most_velocities> populations{};

  /// The populations as they are stored. A core converts them for GPUs, too, so that all have the
  /// same bits.
  template <class Storage>
  std::array<Storage, most_velocities> stored() const {
    std::array<Storage, most_velocities> values{};
    std::ranges::transform(populations, values.begin(), [](double f) {
      return to_storage<Storage>(static_cast<Arithmetic<Storage>>(f));
    });
    return values;
  }
  bool at_rest() const {
    return std::ranges::all_of(populations, [](double f) { return f == 0; });
  }
};

/// Sets all nodes to the same populations and fills the outboxes.
void submit_initialise(DataHandle const& populations, DataHandle const& tables,
                       std::span<DataHandle const* const> outboxes,
                       InitialArguments const& arguments, Placement const& placement);

}  // namespace tessera
