// SPDX-License-Identifier: MIT
#include "codelets/snapshot.hpp"

#include <array>

#include "codelets/codelet.hpp"
#include "lattice/d3q19.hpp"

namespace tessera {
namespace {

/// Moments of a node's populations, those of consecutive values `pitch` apart.
template <class Real>
NodeState node_state(Real const* f, std::size_t pitch, SnapshotArguments const& arguments) {
  double density_shift = 0;
  std::array<double, 3> momentum{};
  for (int q = 0; q < D3Q19::size; ++q) {
    auto const population = static_cast<double>(f[static_cast<std::size_t>(q) * pitch]);
    density_shift += population;
    momentum[0] += D3Q19::x(q) * population;
    momentum[1] += D3Q19::y(q) * population;
    momentum[2] += D3Q19::z(q) * population;
  }
  double const density = arguments.equilibrium == Equilibrium::stokes ? 1.0 : 1.0 + density_shift;
  NodeState state{static_cast<float>(density_shift), {}};
  for (std::size_t a = 0; a < 3; ++a) {
    state.velocity[a] = static_cast<float>(momentum[a] / density - 0.5 * arguments.force[a]);
  }
  return state;
}

template <class Real>
void snapshot_tile(void** buffers, SnapshotArguments const& arguments) {
  auto const* const populations = vector_data<Real>(buffers, 0);
  auto* const states = vector_data<NodeState>(buffers, 1);
  for (std::uint32_t n = 0; n < arguments.layout.slots; ++n) {
    states[n] = node_state(populations + n, arguments.layout.pitch, arguments);
  }
}

void snapshot_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<SnapshotArguments const*>(argument);
  if (arguments.precision == Precision::single_precision) {
    snapshot_tile<float>(buffers, arguments);
  } else {
    snapshot_tile<double>(buffers, arguments);
  }
}

}  // namespace

starpu_codelet& snapshot_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {snapshot_on_core},
                                   .cpu_funcs_name = {"snapshot_on_core"},
                                   .nbuffers = 2,
                                   .modes = {STARPU_R, STARPU_W},
                                   .model = &starpu_perfmodel_nop,
                                   .name = "snapshot"};
  return codelet;
}

}  // namespace tessera
