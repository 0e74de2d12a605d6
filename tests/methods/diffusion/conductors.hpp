// SPDX-License-Identifier: MIT
// Conductors for tests, and their effective conductivities by elimination.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "methods/diffusion/diffusion.hpp"

namespace tessera::test {

/// A conductor with value(voxel) at each voxel.
inline Conductor conductor_of(Int3 shape, bool periodic, std::function<double(Int3)> const& value) {
  Conductor conductor;
  Geometry& geometry = conductor.geometry;
  geometry.shape = shape;
  geometry.periodic = {periodic, periodic, periodic};
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x) {
        conductor.values.push_back(value({x, y, z}));
        geometry.pore.push_back(conductor.values.back() > 0 ? 1 : 0);
      }
    }
  }
  return conductor;
}

/// Each voxel has one of the values, at random.
inline Conductor random_conductor(Int3 shape, bool periodic, std::vector<double> const& values,
                                  unsigned seed) {
  std::mt19937 random(seed);
  return conductor_of(shape, periodic, [&](Int3) { return values[random() % values.size()]; });
}

/// The effective conductivity along an axis: all potentials by elimination, in double.
inline double by_elimination(Conductor const& conductor, Axis axis) {
  Int3 const shape = conductor.geometry.shape;
  bool const periodic = conductor.geometry.periodic[0];
  auto const n = static_cast<std::size_t>(volume(shape));
  std::vector<double> a(n * n, 0.0), b(n, 0.0);
  double const volume_of_voxel = conductor.edges[0] * conductor.edges[1] * conductor.edges[2];
  double energy = 0;  // of a linear potential
  auto const conductivity = [&](std::size_t i) { return conductor.values[i]; };
  auto const face = [&](std::size_t i, std::optional<std::size_t> j, double g, double step) {
    energy += g * step * step;
    a[i * n + i] += g;
    b[i] += g * step;
    if (!j) return;
    a[*j * n + *j] += g;
    a[i * n + *j] -= g;
    a[*j * n + i] -= g;
    b[*j] -= g * step;
  };
  for (std::size_t i = 0; i < n; ++i) {
    auto const index = static_cast<std::int64_t>(i);
    Int3 const at{index % shape.x, index / shape.x % shape.y, index / (shape.x * shape.y)};
    if (conductivity(i) == 0) {
      a[i * n + i] = 1;
      continue;
    }
    for (Axis const along : all_axes) {
      // A face of width and height over the distance of its voxels, for a gradient of 1.
      double const edge = conductor.edges[index_of(along)];
      double const form = volume_of_voxel / (edge * edge);
      double const step = along == axis ? edge : 0;
      Int3 next = at;
      ++next[along];
      bool const is_last = next[along] == shape[along];
      if (!periodic && along == axis && at[along] == 0)
        face(i, std::nullopt, form * 2 * conductivity(i), -0.5 * edge);
      if (is_last && !periodic) {
        if (along == axis) face(i, std::nullopt, form * 2 * conductivity(i), 0.5 * edge);
        continue;
      }
      if (is_last) next[along] = 0;
      std::size_t const j = linear_index(shape, next);
      if (double const other = conductivity(j); other > 0)
        face(i, j, form * 2 * conductivity(i) * other / (conductivity(i) + other), step);
    }
  }
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] += 1e-13;  // no constant of a part without ends
  std::vector<double> const right = b;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      double const factor = a[i * n + k] / a[k * n + k];
      if (factor == 0) continue;
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  for (std::size_t i = 0; i < n; ++i) energy -= right[i] * b[i];
  return energy / (volume_of_voxel * static_cast<double>(n));
}

inline DiffusionResult solved(Conductor const& conductor, Axis axis, double tolerance,
                              SteadyOptions const& options = {}) {
  std::optional<Axis> open;
  if (!conductor.geometry.periodic[index_of(axis)]) open = axis;
  auto const space = make_diffusion_space(conductor, open, options);
  auto const solver = space->solver(axis);
  return solve(*solver, tolerance);
}

}  // namespace tessera::test
