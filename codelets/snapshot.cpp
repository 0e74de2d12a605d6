// SPDX-License-Identifier: MIT
#include "codelets/snapshot.hpp"

#include "codelets/codelet.hpp"
#include "codelets/gpu.hpp"
#include "codelets/node_state.hpp"

namespace tessera {
namespace {

template <class Storage>
void snapshot_tile(void** buffers, SnapshotArguments const& arguments) {
  auto const* const populations = vector_data<Storage>(buffers, 0);
  auto* const states = vector_data<NodeState>(buffers, 1);
  for (std::uint32_t n = 0; n < arguments.layout.slots; ++n) {
    states[n] = node_state(populations + n, arguments.layout.pitch, arguments);
  }
}

void snapshot_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<SnapshotArguments const*>(argument);
  with_storage(arguments.precision,
               [&]<class Storage>() { snapshot_tile<Storage>(buffers, arguments); });
}

}  // namespace

starpu_codelet& snapshot_codelet() {
  static starpu_codelet codelet = {
      .cpu_funcs = {snapshot_on_core},
      TESSERA_ON_GPU(snapshot_on_gpu).cpu_funcs_name = {"snapshot_on_core"},
      .nbuffers = 2,
      .modes = {STARPU_R, STARPU_W},
      .model = &starpu_perfmodel_nop,
      .name = "snapshot"};
  return codelet;
}

}  // namespace tessera
