// SPDX-License-Identifier: MIT
#include "codelets/lattice/functional.hpp"

#include "codelets/lattice/codelet.hpp"
#include "codelets/lattice/eight_lanes.hpp"
#include "codelets/lattice/gpu/gpu.hpp"
#include "models/lattice/velocity_sets.hpp"

namespace tessera {
namespace {

/// Eight nodes, which the compiler lays out as the processor has it.
constexpr std::uint32_t width = 8;
constexpr std::uint32_t parts = functional_lanes / width;

/// The first `count` lanes, of nodes in a row; the others are 0.
template <class Lattice, class Storage>
void load(Storage const* f, std::size_t stride, std::uint32_t count,
          EightLanes (&populations)[Lattice::size]) {
  for (int q = 0; q < Lattice::size; ++q) {
    Storage const* const of_q = f + static_cast<std::size_t>(q) * stride;
    EightLanes lanes{};
    if (count >= width) {
      for (std::uint32_t k = 0; k < width; ++k)
        lanes[k] = static_cast<double>(from_storage(of_q[k]));
    } else {
      for (std::uint32_t k = 0; k < count; ++k)
        lanes[k] = static_cast<double>(from_storage(of_q[k]));
    }
    populations[q] = lanes;
  }
}

template <class Lattice, class Storage>
FunctionalTerms functional_of_block(TileBlock const& block, Storage const* before,
                                    Storage const* after, FunctionalParameters const& parameters) {
  EightLanes sums[parts][3] = {};
  for (std::uint32_t n = 0; n < block.nodes; n += width) {
    std::uint32_t const at = population_at(block, 0, block.first + n);
    EightLanes g[Lattice::size];
    EightLanes next[Lattice::size];
    load<Lattice>(before + at, block.stride, block.nodes - n, g);
    load<Lattice>(after + at, block.stride, block.nodes - n, next);
    add_functional_terms<Lattice>(g, next, parameters, sums[n / width % parts]);
  }
  static_assert(parts == 4);
  auto const total = [&](int term) {
    return (add_lanes(sums[0][term]) + add_lanes(sums[1][term])) +
           (add_lanes(sums[2][term]) + add_lanes(sums[3][term]));
  };
  return {total(0), total(1), total(2)};
}

void functional_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<FunctionalArguments const*>(argument);
  TileView const tile = view_tables(arguments.counts, vector_data<std::byte>(buffers, 2));
  auto* const sums = vector_data<FunctionalTerms>(buffers, 3);
  with_lattice(arguments.lattice, [&]<class Lattice>() {
    with_storage(arguments.precision, [&]<class Storage>() {
      for (std::uint32_t b = 0; b < arguments.counts.blocks; ++b) {
        sums[b] = functional_of_block<Lattice>(
            tile.blocks[b], vector_data<Storage const>(buffers, 0),
            vector_data<Storage const>(buffers, 1), arguments.parameters);
      }
    });
  });
}

/// Buffers: 0 R populations before; 1 R after the step; 2 R tables; 3 W sums.
starpu_codelet& functional_codelet() {
  static starpu_perfmodel model = {.type = STARPU_HISTORY_BASED,
                                   .footprint = tile_footprint<FunctionalArguments>,
                                   .symbol = "tessera_functional"};
  static starpu_codelet codelet = {.cpu_funcs = {functional_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(functional_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = 4,
                                   .modes = {STARPU_R, STARPU_R, STARPU_R, STARPU_W},
                                   .model = &model,
                                   .name = "functional"};
  return codelet;
}

}  // namespace

void submit_functional(DataHandle const& before, DataHandle const& after, DataHandle const& tables,
                       DataHandle const& sums, FunctionalArguments const& arguments,
                       Placement const& placement) {
  Accesses data;
  data.reads(before).reads(after).reads(tables).writes(sums);
  submit(functional_codelet(), data, &arguments, placement);
}

}  // namespace tessera
