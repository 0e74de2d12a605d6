// SPDX-License-Identifier: MIT
#include "codelets/spectral/bare_loop.hpp"

#include <algorithm>
#include <limits>

#include "codelets/spectral/states.hpp"

namespace tessera::spectral {

template <class N>
BareLoop<N>::BareLoop(MeshOfGas const& of, GasParameters const& parameters,
                      std::function<Primitive<double>(Point const&)> const& initial,
                      CoreKernels const& kernels)
    : of_(of),
      parameters_(parameters),
      kernels_(kernels),
      tile_(std::move(make_tiles<N>(of, TileOfPack(of.packs.packs.size(), 0)).tiles.front())),
      place_(of.packs.packs.size()),
      state_(tile_.counts.state_numbers),
      kept_(tile_.counts.state_numbers),
      traces_{AlignedVector<N>(tile_.counts.trace_numbers),
              AlignedVector<N>(tile_.counts.trace_numbers)},
      speeds_(tile_.packs.size()) {
  TileView<N> const view = view_of<N>(tile_.counts, tile_.table_bytes());
  for (std::size_t i = 0; i < tile_.packs.size(); ++i) {
    place_[static_cast<std::size_t>(tile_.packs[i])] = view.packs[i];
    set_state(of, tile_.packs[i], initial, state_.data() + view.packs[i].state);
  }
  now_ = 1;
  run(PackTask::begin, {}, 0, true);
}

template <class N>
void BareLoop<N>::run(PackTask task, Stage const& stage, double dt, bool with_speeds) {
  N const* const sources[] = {traces_[now_].data()};
  StageData<N> const data{view_of<N>(tile_.counts, tile_.table_bytes()),
                          state_.data(),
                          kept_.data(),
                          traces_[1 - now_].data(),
                          nullptr,
                          sources,
                          with_speeds ? speeds_.data() : nullptr};
  kernels_.run(task, tile_.counts, data, facts_of<N>(parameters_, stage, dt));
  now_ = 1 - now_;
}

template <class N>
void BareLoop<N>::step(double dt) {
  auto const stages = stages_of(parameters_.integrator);
  for (Stage const& stage : stages) run(PackTask::stage, stage, dt, &stage == &stages.back());
}

template <class N>
double BareLoop<N>::stable_step(double sigma) const {
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < tile_.packs.size(); ++i) {
    int const degree = of_.packs.packs[static_cast<std::size_t>(tile_.packs[i])].degree;
    longest = std::min(longest, spectral::stable_step(parameters_.integrator, degree) / speeds_[i]);
  }
  return sigma * longest;
}

template <class N>
std::vector<State<double>> BareLoop<N>::rate(std::int32_t element) {
  // k = dt R of a low-storage stage with dt = 1, after which the state is put back.
  AlignedVector<N> const before = state_;
  run(PackTask::stage, {.low_storage = true, .first = true}, 1, false);
  std::vector<State<double>> const found = values_of(element, kept_.data());
  state_ = before;
  run(PackTask::begin, {}, 0, true);
  return found;
}

template <class N>
std::vector<State<double>> BareLoop<N>::state(std::int32_t element) const {
  return values_of(element, state_.data());
}

template <class N>
std::vector<State<double>> BareLoop<N>::values_of(std::int32_t element, N const* states) const {
  Place const place = of_.packs.place_of[static_cast<std::size_t>(element)];
  TilePack const& pack = place_[static_cast<std::size_t>(place.pack)];
  return lane_of(PackShape{of_.mesh.dimension, pack.degree}, states + pack.state, place.lane);
}

template class BareLoop<double>;
template class BareLoop<float>;

}  // namespace tessera::spectral
