// SPDX-License-Identifier: MIT
// The node update and the search for neighbours on a GPU, against the kernel for cores. Compiled
// wherever there is a CUDA compiler; skipped where there is no GPU.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "codelets/block_rows.hpp"
#include "codelets/cpu_kernels.hpp"
#include "io/generate.hpp"
#include "lattice/collision.hpp"
#include "partition/tiling.hpp"

namespace tessera {
namespace {

void check_cuda(cudaError_t status) {
  ASSERT_EQ(status, cudaSuccess) << cudaGetErrorString(status);
}

template <int q>
__device__ void pull(double (&f)[19], double const* old, StagedRow const* rows, int x, int y, int z,
                     int width, std::uint32_t node, std::size_t pitch) {
  if constexpr (q < D3Q19::size) {
    std::uint32_t const source = source_node<q>(rows, x, y, z, width);
    f[q] = source == no_node ? old[D3Q19::opposite(q) * pitch + node] : old[q * pitch + source];
    pull<q + 1>(f, old, rows, x, y, z, width, node, pitch);
  }
}

/// One CUDA block a lattice block, its surroundings in shared memory, one thread a voxel.
template <Equilibrium equilibrium>
__global__ void collide_stream(TileView tile, double const* old, double* next,
                               CollisionParameters<double> parameters) {
  __shared__ StagedRow rows[staged_rows];
  TileBlock const block = tile.blocks[blockIdx.x];
  for (int i = static_cast<int>(threadIdx.x); i < staged_rows; i += static_cast<int>(blockDim.x)) {
    int const y = i % staged_edge - 1;
    int const z = i / staged_edge - 1;
    if (y <= block.extent[1] && z <= block.extent[2]) rows[i] = stage_row(tile, blockIdx.x, y, z);
  }
  __syncthreads();
  std::size_t const pitch = tile.layout.pitch;
  for (int v = static_cast<int>(threadIdx.x); v < 32 * block.extent[1] * block.extent[2];
       v += static_cast<int>(blockDim.x)) {
    int const x = v % 32;
    int const y = v / 32 % block.extent[1];
    int const z = v / 32 / block.extent[1];
    std::uint32_t const node = node_in_row(rows[staged_index(y, z)], x, 0, 32);
    if (node == no_node) continue;
    double f[19];
    f[0] = old[node];
    pull<1>(f, old, rows, x, y, z, block.extent[0], node, pitch);
    collide<equilibrium>(f, parameters);
    for (int q = 0; q < D3Q19::size; ++q) next[q * pitch + node] = f[q];
  }
}

template <class T>
struct DeviceArray {
  explicit DeviceArray(std::vector<T> const& host) {
    check_cuda(cudaMalloc(&data, host.size() * sizeof(T)));
    check_cuda(cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data); }
  T* data = nullptr;
};

template <Equilibrium equilibrium>
void agrees_with_the_core() {
  Geometry const box = overlapping_spheres({70, 45, 37}, 6, 0.4, 3).geometry;
  BlockGrid const grid(box);
  Tiling const tiling = build_tiling(grid, cut_with_metis(block_graph(grid), 1));
  TileLayout const layout = tiling.tiles[0].layout;
  std::vector<std::byte> const& tables = tiling.tiles[0].tables;
  double const force[3] = {1e-4, 2e-4, -1e-4};
  auto const p = collision_parameters<double>(CollisionOperator::trt, 0.7, 0.1875, force);

  std::size_t const values = population_values(tiling);
  std::unique_ptr<double, void (*)(void*)> a(
      static_cast<double*>(std::aligned_alloc(64, values * 8)), std::free);
  std::unique_ptr<double, void (*)(void*)> b(
      static_cast<double*>(std::aligned_alloc(64, values * 8)), std::free);
  std::fill_n(a.get(), values, 0.0);
  std::fill_n(b.get(), values, 0.0);
  DeviceArray<std::byte> const device_tables(tables);
  DeviceArray<double> old(std::vector<double>(values, 0.0));
  DeviceArray<double> next(std::vector<double>(values, 0.0));

  auto const kernel = best_cpu_kernels().kernel(Precision::double_precision, equilibrium);
  TileView const here = view_tables(layout, tables.data());
  TileView const there = view_tables(layout, device_tables.data);
  for (int step = 0; step < 50; ++step) {
    kernel(here, a.get(), b.get(), p);
    std::swap(a, b);
    collide_stream<equilibrium><<<layout.blocks, 128>>>(there, old.data, next.data, p);
    check_cuda(cudaGetLastError());
    std::swap(old.data, next.data);
  }
  std::vector<double> result(values);
  check_cuda(cudaMemcpy(result.data(), old.data, values * 8, cudaMemcpyDeviceToHost));
  for (std::uint32_t block = 0; block < layout.blocks; ++block) {
    for (std::uint32_t n = 0; n < here.blocks[block].nodes; ++n) {
      for (std::size_t q = 0; q < D3Q19::size; ++q) {
        std::size_t const at = q * layout.pitch + here.blocks[block].first + n;
        ASSERT_NEAR(result[at], a.get()[at], 1e-15)
            << "block " << block << ", node " << n << ", q " << q;
      }
    }
  }
}

TEST(CollideStreamOnGpu, AgreesWithTheCore) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no GPU here";
  agrees_with_the_core<Equilibrium::stokes>();
  agrees_with_the_core<Equilibrium::navier_stokes>();
}

}  // namespace
}  // namespace tessera
