// SPDX-License-Identifier: MIT
#include "codelets/lattice/codelet.hpp"
#include "codelets/lattice/functional.hpp"
#include "codelets/lattice/gpu/gpu.hpp"
#include "graph/tasks/gpu_call.hpp"
#include "models/lattice/velocity_sets.hpp"

namespace tessera {
namespace {

/// A warp for each lattice block, a thread a lane.
constexpr unsigned warps = 4;
static_assert(functional_lanes == 32);

template <class Lattice, class Storage>
__global__ void __launch_bounds__(warps* functional_lanes)
    functional(TileView const tile, std::uint32_t blocks, FunctionalParameters const parameters,
               Storage const* __restrict__ before, Storage const* __restrict__ after,
               FunctionalTerms* __restrict__ sums) {
  std::uint32_t const lane = threadIdx.x % functional_lanes;
  std::uint32_t const b = blockIdx.x * warps + threadIdx.x / functional_lanes;
  if (b >= blocks) return;
  TileBlock const block = tile.blocks[b];
  double terms[3] = {};
  for (std::uint32_t n = lane; n < block.nodes; n += functional_lanes) {
    std::uint32_t const at = population_at(block, 0, block.first + n);
    double g[Lattice::size];
    double next[Lattice::size];
    for (int q = 0; q < Lattice::size; ++q) {
      std::size_t const of_q = at + static_cast<std::size_t>(q) * block.stride;
      g[q] = static_cast<double>(from_storage(before[of_q]));
      next[q] = static_cast<double>(from_storage(after[of_q]));
    }
    add_functional_terms<Lattice>(g, next, parameters, terms);
  }
  for (double& term : terms) {
    for (unsigned step = 1; step < functional_lanes; step *= 2)
      term += __shfl_xor_sync(~0U, term, static_cast<int>(step));
  }
  if (lane == 0) sums[b] = {terms[0], terms[1], terms[2]};
}

}  // namespace

void functional_on_gpu(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<FunctionalArguments const*>(argument);
  TileView const tile = view_tables(arguments.counts, vector_data<std::byte>(buffers, 2));
  std::uint32_t const blocks = arguments.counts.blocks;
  with_lattice(arguments.lattice, [&]<class Lattice>() {
    with_storage(arguments.precision, [&]<class Storage>() {
      functional<Lattice><<<(blocks + warps - 1) / warps, warps * functional_lanes, 0,
                            starpu_cuda_get_local_stream()>>>(
          tile, blocks, arguments.parameters, vector_data<Storage const>(buffers, 0),
          vector_data<Storage const>(buffers, 1), vector_data<FunctionalTerms>(buffers, 3));
    });
  });
  check_gpu(cudaGetLastError());
}

}  // namespace tessera
