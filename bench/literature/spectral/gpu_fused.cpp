// SPDX-License-Identifier: MIT
#include "bench/literature/spectral/gas_runner.hpp"
#include "codelets/spectral/gpu/gpu_loop.hpp"

namespace tessera {
namespace {

template <class N>
class RunnerOnGpu final : public GasRunner {
 public:
  explicit RunnerOnGpu(FusedCase const& of)
      : loop_(*of.of, packs_in_tiles(*of.of, of.tiles), of.parameters, some_flow),
        stages_a_step_(
            static_cast<std::int64_t>(spectral::stages_of(of.parameters.integrator).size())) {}

  double run(std::int64_t stages) override {
    std::int64_t const steps = (stages + stages_a_step_ - 1) / stages_a_step_;
    return loop_.run(steps, bench_step) * static_cast<double>(stages) /
           static_cast<double>(steps * stages_a_step_);
  }
  std::int64_t points() const override { return loop_.points(); }
  std::size_t bytes() const override { return loop_.data_bytes() + loop_.table_bytes(); }
  std::vector<double> first_state() const override {
    std::vector<N> const state = loop_.state_of_pack(0);
    std::vector<double> first;
    first.reserve(5);
    for (std::size_t v = 0; v < 5; ++v)
      first.push_back(static_cast<double>(state[v * state.size() / 5]));
    return first;
  }

 private:
  spectral::GpuLoop<N> loop_;
  std::int64_t stages_a_step_;
};

}  // namespace

std::unique_ptr<GasRunner> fused_on_gpu(FusedCase const& of) {
  return spectral::with_numbers(of.numbers, [&]<class N>() -> std::unique_ptr<GasRunner> {
    return std::make_unique<RunnerOnGpu<N>>(of);
  });
}

}  // namespace tessera
