// SPDX-License-Identifier: MIT
// The same tiles and kernels as the task graph, without a runtime: threads, a barrier after each
// step.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/machine/aligned_array.hpp"
#include "codelets/lattice/cpu_kernels.hpp"
#include "codelets/lattice/pull_plan.hpp"
#include "models/lattice/flow_model.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {

template <class Storage>
class BareLoop {
 public:
  BareLoop(Tiling const& tiling, CpuKernels const& kernels, FlowModel const& model,
           FlowParameters const& parameters, unsigned threads);
  /// Takes all tiles `steps` steps on; returns the seconds.
  double run(std::int64_t steps);

 private:
  void step(std::size_t tile, std::size_t parity);

  struct TileBuffers {
    std::array<AlignedArray<Storage>, 2> populations;
    std::array<std::vector<Storage>, 2> outbox;
    PullPlan plan;
  };
  Tiling const& tiling_;
  CollideStreamKernel kernel_;
  FlowParameters parameters_;
  unsigned threads_;
  std::vector<TileBuffers> tiles_;
  std::int64_t steps_ = 0;
};

extern template class BareLoop<Half>;
extern template class BareLoop<float>;
extern template class BareLoop<double>;

}  // namespace tessera
