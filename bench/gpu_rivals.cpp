// SPDX-License-Identifier: MIT
#include <optional>

#include "base/machine/gpu_copy.hpp"
#include "bench/gpu_loop.hpp"
#include "bench/rivals.hpp"

namespace tessera {
namespace {

class RivalsOnGpu : public Rivals {
 public:
  explicit RivalsOnGpu(BenchFlow const& flow) : flow_(flow) {}

  double bare_loop(std::int64_t steps) override {
    // Not before it is wanted: on several GPUs one of them may not have room for all tiles.
    if (!loop_) loop_.emplace(flow_.tiling, flow_.precision, flow_.model, flow_.parameters);
    return loop_->run(steps);
  }
  double copy() override { return copy_.run(); }

 private:
  BenchFlow flow_;
  std::optional<GpuLoop> loop_;
  GpuCopy copy_;
};

}  // namespace

std::unique_ptr<Rivals> rivals_on_gpu(BenchFlow const& flow) {
  return std::make_unique<RivalsOnGpu>(flow);
}

}  // namespace tessera
