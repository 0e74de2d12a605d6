// SPDX-License-Identifier: MIT
// The step of a cube of voxels without walls, as it is written in papers: a dense array, no masks,
// no tiles. It is what Tessera's step is measured beside and checked with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "models/lattice/collision.hpp"
#include "models/lattice/d3q19.hpp"

namespace tessera {

enum class DenseLayout : std::uint8_t {
  array_of_structures,  ///< f[voxel][19]
  structure_of_arrays   ///< f[19][voxel]
};

/// Where population q of a voxel stands.
TESSERA_HOST_DEVICE constexpr std::size_t place_of(DenseLayout layout, int q, std::size_t voxel,
                                                   std::size_t voxels) {
  return layout == DenseLayout::array_of_structures
             ? voxel * std::size_t{D3Q19::size} + static_cast<std::size_t>(q)
             : static_cast<std::size_t>(q) * voxels + voxel;
}

/// Population q of a voxel at the start: something between -1e-3 and 1e-3 that has no symmetry.
template <class Real>
TESSERA_HOST_DEVICE constexpr Real initial_population(std::size_t voxel, int q) {
  auto bits = static_cast<std::uint32_t>(voxel * D3Q19::size + static_cast<std::size_t>(q));
  bits = (bits ^ bits >> 16) * 0x7FEB352DU;
  bits = (bits ^ bits >> 15) * 0x846CA68BU;
  bits ^= bits >> 16;
  return static_cast<Real>(static_cast<int>(bits % 2001U) - 1000) * static_cast<Real>(1e-6);
}

/// A voxel's own coordinates and those beside it, wrapped around, times the strides of their axes:
/// [0] before, [1] own, [2] behind.
struct Around {
  std::uint32_t x[3];
  std::uint32_t y[3];
  std::uint32_t z[3];
};

TESSERA_HOST_DEVICE constexpr Around around(std::uint32_t voxel, std::uint32_t edge) {
  std::uint32_t const x = voxel % edge;
  std::uint32_t const y = voxel / edge % edge;
  std::uint32_t const z = voxel / edge / edge;
  std::uint32_t const plane = edge * edge;
  return {{x > 0 ? x - 1 : edge - 1, x, x + 1 < edge ? x + 1 : 0},
          {(y > 0 ? y - 1 : edge - 1) * edge, y * edge, (y + 1 < edge ? y + 1 : 0) * edge},
          {(z > 0 ? z - 1 : edge - 1) * plane, z * plane, (z + 1 < edge ? z + 1 : 0) * plane}};
}

/// Pulls populations q to 18 of a voxel.
template <DenseLayout layout, int q = 0, class Real>
TESSERA_HOST_DEVICE void pull_dense(Real (&f)[D3Q19::size], Real const* old, Around const& at,
                                    std::size_t voxels) {
  if constexpr (q < D3Q19::size) {
    std::uint32_t const source =
        at.x[1 - D3Q19::x(q)] + at.y[1 - D3Q19::y(q)] + at.z[1 - D3Q19::z(q)];
    f[q] = old[place_of(layout, q, source, voxels)];
    pull_dense<layout, q + 1>(f, old, at, voxels);
  }
}

template <DenseLayout layout, int q = 0, class Real>
TESSERA_HOST_DEVICE void store_dense(Real const (&f)[D3Q19::size], Real* next, std::size_t voxel,
                                     std::size_t voxels) {
  if constexpr (q < D3Q19::size) {
    next[place_of(layout, q, voxel, voxels)] = f[q];
    store_dense<layout, q + 1>(f, next, voxel, voxels);
  }
}

/// Collide-stream of one voxel of a periodic cube.
template <DenseLayout layout, EquilibriumForm equilibrium, class Real>
TESSERA_HOST_DEVICE void step_dense(Real const* old, Real* next, std::uint32_t voxel,
                                    std::uint32_t edge, CollisionParameters<Real> const& p) {
  std::size_t const voxels = std::size_t{edge} * edge * edge;
  Real f[D3Q19::size];
  pull_dense<layout>(f, old, around(voxel, edge), voxels);
  collide<equilibrium>(f, p);
  store_dense<layout>(f, next, voxel, voxels);
}

}  // namespace tessera
