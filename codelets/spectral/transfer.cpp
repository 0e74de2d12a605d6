// SPDX-License-Identifier: MIT
#include "codelets/spectral/transfer.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "graph/tasks/vector_data.hpp"

namespace tessera::spectral {
namespace {

using States = std::vector<std::span<std::byte>>;

void copy_out_on_core(void** buffers, void* argument) noexcept {
  std::unique_ptr<States> const states(static_cast<States*>(argument));
  auto const* from = vector_data<std::byte const>(buffers, 0);
  for (std::span<std::byte> const state : *states) {
    std::copy_n(from, state.size(), state.data());
    from += state.size();
  }
}

void copy_in_on_core(void** buffers, void* argument) noexcept {
  std::unique_ptr<States> const states(static_cast<States*>(argument));
  auto* to = vector_data<std::byte>(buffers, 0);
  for (std::span<std::byte> const state : *states) to = std::copy_n(state.data(), state.size(), to);
}

void copy_on_core(void** buffers, void*) noexcept {
  std::size_t const bytes =
      STARPU_VECTOR_GET_NX(buffers[0]) * STARPU_VECTOR_GET_ELEMSIZE(buffers[0]);
  std::copy_n(vector_data<std::byte const>(buffers, 0), bytes, vector_data<std::byte>(buffers, 1));
}

/// Buffers: 0 R state.
starpu_codelet& out_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {copy_out_on_core},
                                   .nbuffers = 1,
                                   .modes = {STARPU_R},
                                   .model = &starpu_perfmodel_nop,
                                   .name = "copy_gas_out"};
  return codelet;
}

/// Buffers: 0 W state.
starpu_codelet& in_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {copy_in_on_core},
                                   .nbuffers = 1,
                                   .modes = {STARPU_W},
                                   .model = &starpu_perfmodel_nop,
                                   .name = "copy_gas_in"};
  return codelet;
}

/// Buffers: 0 R state; 1 W copy.
starpu_codelet& snapshot_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {copy_on_core},
                                   .nbuffers = 2,
                                   .modes = {STARPU_R, STARPU_W},
                                   .model = &starpu_perfmodel_nop,
                                   .name = "snapshot_gas"};
  return codelet;
}

}  // namespace

void submit_copy_out(DataHandle const& state, std::vector<std::span<std::byte>> states,
                     Placement const& placement) {
  Accesses data;
  data.reads(state);
  submit(out_codelet(), data, std::make_unique<States>(std::move(states)).release(),
         on_cores(placement));
}

void submit_copy_in(DataHandle const& state, std::vector<std::span<std::byte>> states,
                    Placement const& placement) {
  Accesses data;
  data.writes(state);
  submit(in_codelet(), data, std::make_unique<States>(std::move(states)).release(),
         on_cores(placement));
}

void submit_snapshot(DataHandle const& state, DataHandle const& copy, Placement const& placement) {
  Accesses data;
  data.reads(state).writes(copy);
  submit(snapshot_codelet(), data, Argument{}, on_cores(placement));
}

}  // namespace tessera::spectral
