// SPDX-License-Identifier: MIT
// One step of one tile on a GPU, for the codelet and for benchmarks.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "base/storage.hpp"
#include "codelets/lattice/collide_stream.hpp"
#include "graph/tasks/gpu_streams.hpp"
#include "models/lattice/flow_model.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera {

/// The tile's own outboxes, as an argument of a kernel.
struct Outboxes {
  void* box[most_outboxes];
};

/// Outboxes of the neighbours, as an argument of a kernel.
struct Inboxes {
  void const* box[most_inboxes];
};

/// What a step of a tile works on; all pointers are the GPU's.
struct GpuStep {
  TileView tile;
  void* old_populations = nullptr;  ///< the halo is written
  void* new_populations = nullptr;
  Outboxes outboxes{};
  Inboxes inboxes{};
  bool halo_is_filled = false;  ///< `inboxes` are not looked at then
  BoundaryView boundaries{};
  BoundaryParameters boundary_parameters{};
  double* entering = nullptr;  ///< room for a value a link
  WallForce* wall_forces = nullptr;
  double* memory = nullptr;  ///< a value a link, if any remembers
};

/// Launches unpacking, collide-stream and packing. Returns the first error of a call.
cudaError_t launch_step(Precision precision, FlowModel const& model, GpuStep const& step,
                        FlowParameters const& parameters, StepStreams const& streams);

/// Launches a step with all kernels on one stream.
inline cudaError_t launch_step(Precision precision, FlowModel const& model, GpuStep const& step,
                               FlowParameters const& parameters, cudaStream_t stream) {
  return launch_step(precision, model, step, parameters, StepStreams{stream, stream});
}

}  // namespace tessera
