// SPDX-License-Identifier: MIT
#include "case/gas/gas_flow.hpp"

#include <span>

namespace tessera {

template <class N>
PlainGasFlow<N>::PlainGasFlow(GasCase const& c, GasSetup const& setup)
    : setup_(setup), loop_(setup.of, setup.parameters, setup.initial), clock_(c) {}

template <class N>
void PlainGasFlow<N>::submit_steps(std::int64_t count) {
  for (std::int64_t i = 0; i < count && !clock_.at_end(); ++i) {
    double const dt = clock_.next([&](double sigma) { return loop_.stable_step(sigma); });
    loop_.step(dt);
    clock_.took(dt);
    ++steps_;
  }
}

template <class N>
std::size_t PlainGasFlow<N>::numbers_of(std::int32_t pack) const {
  spectral::Pack const& of = setup_.of.packs.packs[static_cast<std::size_t>(pack)];
  return static_cast<std::size_t>(
      spectral::PackShape{setup_.of.mesh.dimension, of.degree}.state_size());
}

template <class N>
RunningFlow::SavedSize PlainGasFlow<N>::saved_size() const {
  SavedSize size;
  size.blocks = static_cast<std::int32_t>(setup_.of.packs.packs.size());
  for (std::int32_t p = 0; p < size.blocks; ++p)
    size.values += static_cast<std::int64_t>(numbers_of(p));
  return size;
}

template <class N>
void PlainGasFlow<N>::save(CheckpointWriter* writer) {
  for (std::int32_t p = 0; p < saved_size().blocks; ++p)
    writer->add_block(p, std::as_bytes(std::span(loop_.state_of_pack(p), numbers_of(p))), {});
}

template <class N>
void PlainGasFlow<N>::restore(std::int64_t step, CheckpointReader const& reader) {
  loop_.set_states([&](std::int32_t pack, N* state) {
    reader.read_block(pack, std::as_writable_bytes(std::span(state, numbers_of(pack))));
  });
  steps_ = step;
}

template <class N>
void PlainGasFlow<N>::take_state(GasState& state) const {
  for (std::size_t p = 0; p < setup_.of.packs.packs.size(); ++p) {
    auto const pack = static_cast<std::int32_t>(p);
    state.take_pack(pack, loop_.state_of_pack(pack));
  }
}

template <class N>
Json PlainGasFlow<N>::save_clock() const {
  return {{"time", clock_.now()}, {"next_step", or_null(clock_.pending())}};
}

template class PlainGasFlow<double>;
template class PlainGasFlow<float>;

}  // namespace tessera
