// SPDX-License-Identifier: MIT
#include "bench/literature/lattice/dense_tile.hpp"
#include "bench/literature/lattice/gpu_tile.hpp"

namespace tessera {
namespace {

constexpr unsigned threads = 256;  // 8 rows at a time, a lane a voxel
constexpr std::int64_t steps_compared = 3;

/// What rounding may do to populations of 1e-3 in a few steps; a wrong neighbour does far more.
template <class Real>
constexpr double tolerance = sizeof(Real) == sizeof(float) ? 1e-8 : 1e-15;

template <class Visit>
__device__ void visit_block(TileView const& tile, std::uint32_t const* first_voxels,
                            std::uint32_t edge, Visit&& visit) {
  for (std::uint32_t row = threadIdx.x / 32; row < 64; row += threads / 32)
    visit_node(tile, first_voxels, edge, blockIdx.x, row, threadIdx.x % 32, visit);
}

/// Launch: <<<tile.counts.blocks, threads>>>, as the next one.
template <class Real>
__global__ void write_start(TileView const tile, std::uint32_t const* first_voxels,
                            std::uint32_t edge, Real* populations) {
  visit_block(tile, first_voxels, edge,
              [&](TileBlock const& block, std::uint32_t node, std::size_t voxel) {
                for (int q = 0; q < D3Q19::size; ++q) {
                  populations[population_at(block, static_cast<std::uint32_t>(q), node)] =
                      initial_population<Real>(voxel, q);
                }
              });
}

/// Counts values that differ, and nodes: a node that is missing in the tile would not be seen else.
template <class Real>
__global__ void compare(TileView const tile, std::uint32_t const* first_voxels, std::uint32_t edge,
                        Real const* populations, Real const* dense, DenseLayout layout,
                        unsigned long long* counts) {
  std::size_t const voxels = std::size_t{edge} * edge * edge;
  visit_block(tile, first_voxels, edge,
              [&](TileBlock const& block, std::uint32_t node, std::size_t voxel) {
                atomicAdd(counts, 1ULL);
                for (int q = 0; q < D3Q19::size; ++q) {
                  auto const own = static_cast<double>(
                      populations[population_at(block, static_cast<std::uint32_t>(q), node)]);
                  auto const other = static_cast<double>(dense[place_of(layout, q, voxel, voxels)]);
                  // Written so that what is not a number differs as well.
                  if (!(fabs(own - other) <= tolerance<Real>)) atomicAdd(counts + 1, 1ULL);
                }
              });
}

}  // namespace

template <class Real>
GpuTile<Real>::GpuTile(std::int64_t edge, EquilibriumForm equilibrium,
                       FlowParameters const& parameters)
    : GpuTile(dense_tiling(edge), equilibrium, parameters) {}

template <class Real>
GpuTile<Real>::GpuTile(Tiling const& tiling, EquilibriumForm equilibrium,
                       FlowParameters const& parameters)
    : edge_(static_cast<std::uint32_t>(tiling.image_shape.x)),
      first_voxels_(tiling.tiles[0].blocks.size()),
      loop_(tiling, precision_of<Real>, {.equilibrium = equilibrium}, parameters) {
  first_voxels_.upload(block_voxels(tiling).data());
}

template <class Real>
void GpuTile<Real>::start() {
  TileView const tile = loop_.tile(0);
  write_start<<<tile.counts.blocks, threads>>>(tile, first_voxels_.get(), edge_,
                                               static_cast<Real*>(loop_.populations(0)));
  check_cuda(cudaGetLastError(), "launching a kernel");
}

template <class Real>
void GpuTile<Real>::require_agreement(GpuDense<Real>& dense, std::string const& what) {
  start();
  dense.start();
  loop_.run(steps_compared);
  dense.run(steps_compared);
  DeviceArray<unsigned long long> counts(2);
  TileView const tile = loop_.tile(0);
  compare<<<tile.counts.blocks, threads>>>(tile, first_voxels_.get(), edge_,
                                           static_cast<Real const*>(loop_.populations(0)),
                                           dense.populations(), dense.layout(), counts.get());
  check_cuda(cudaGetLastError(), "launching a kernel");
  auto const nodes = counts.value(0);
  auto const voxels = std::size_t{edge_} * edge_ * edge_;
  if (nodes != voxels) {
    throw EnvironmentError("GPU: " + std::to_string(nodes) + " nodes of " + std::to_string(voxels) +
                           " compared");
  }
  if (auto const differ = counts.value(1); differ != 0) {
    throw EnvironmentError("GPU: " + what + " and Tessera's step differ in " +
                           std::to_string(differ) + " of " + std::to_string(19 * voxels) +
                           " populations");
  }
}

template <class Real>
std::size_t GpuTile<Real>::bytes_needed(std::int64_t edge) {
  return dense_tile_bytes(edge, sizeof(Real));
}

template class GpuTile<float>;
template class GpuTile<double>;

}  // namespace tessera
