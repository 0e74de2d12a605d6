// SPDX-License-Identifier: MIT
// What the task graph is measured against, on the same workers in the same run: the same kernels
// without a runtime, and what the memory copies.
#pragma once

#include <cstdint>
#include <memory>

#include "codelets/lattice/cpu_kernels.hpp"
#include "models/lattice/flow_model.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {

class Rivals {
 public:
  Rivals() = default;
  virtual ~Rivals() = default;
  Rivals(Rivals const&) = delete;
  Rivals& operator=(Rivals const&) = delete;

  /// Seconds that a bare loop over the tiles takes for so many steps.
  virtual double bare_loop(std::int64_t steps) = 0;
  /// GB/s, read and written.
  virtual double copy() = 0;
};

/// The flow that is measured.
struct BenchFlow {
  Tiling const& tiling;
  Precision precision{};
  FlowModel model;
  FlowParameters parameters;
  CpuKernels const& kernels;  ///< for cores
};

/// On as many cores, one thread each.
std::unique_ptr<Rivals> rivals_on_cores(BenchFlow const& flow, unsigned cores);
/// On one GPU. Needs a build with CUDA; may live only as long as the Runtime.
std::unique_ptr<Rivals> rivals_on_gpu(BenchFlow const& flow);

}  // namespace tessera
