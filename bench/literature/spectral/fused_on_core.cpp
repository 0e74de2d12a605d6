// SPDX-License-Identifier: MIT
#include "base/machine/seconds_since.hpp"
#include "bench/literature/spectral/gas_runner.hpp"
#include "codelets/spectral/bare_loop.hpp"

namespace tessera {
namespace {

template <class N>
class FusedRunner final : public GasRunner {
 public:
  explicit FusedRunner(FusedCase const& of)
      : loop_(*of.of, of.parameters, some_flow),
        stages_a_step_(
            static_cast<std::int64_t>(spectral::stages_of(of.parameters.integrator).size())) {}

  double run(std::int64_t stages) override {
    std::int64_t const steps = (stages + stages_a_step_ - 1) / stages_a_step_;
    auto const begin = std::chrono::steady_clock::now();
    for (std::int64_t step = 0; step < steps; ++step) loop_.step(bench_step);
    return seconds_since(begin) * static_cast<double>(stages) /
           static_cast<double>(steps * stages_a_step_);
  }
  std::int64_t points() const override { return loop_.points(); }
  std::vector<double> first_state() const override {
    spectral::State<double> const q = loop_.state(0).front();
    return {q[0], q[1], q[2], q[3], q[4]};
  }

 private:
  spectral::BareLoop<N> loop_;
  std::int64_t stages_a_step_;
};

}  // namespace

spectral::TileOfPack packs_in_tiles(spectral::MeshOfGas const& of, std::int32_t tiles) {
  auto const packs = static_cast<std::int64_t>(of.packs.packs.size());
  spectral::TileOfPack tile_of_pack;
  for (std::int64_t p = 0; p < packs; ++p)
    tile_of_pack.push_back(static_cast<std::int32_t>(p * tiles / packs));
  return tile_of_pack;
}

std::unique_ptr<GasRunner> fused_on_core(FusedCase const& of) {
  return spectral::with_numbers(of.numbers, [&]<class N>() -> std::unique_ptr<GasRunner> {
    return std::make_unique<FusedRunner<N>>(of);
  });
}

}  // namespace tessera
