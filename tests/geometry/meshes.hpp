// SPDX-License-Identifier: MIT
// Triangle meshes made by formula, and STL files of them, for the tests.
#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "geometry/triangle_mesh.hpp"
#include "tests/io/files.hpp"

namespace tessera::test {

/// The twelve triangles of an upright box, outside on their left.
inline std::vector<Triangle> box_triangles(Vector3 lower, Vector3 upper) {
  std::vector<Triangle> triangles;
  auto const corner = [&](int i) {
    return Vector3{(i & 1) != 0 ? upper.x : lower.x, (i & 2) != 0 ? upper.y : lower.y,
                   (i & 4) != 0 ? upper.z : lower.z};
  };
  constexpr std::array<std::array<int, 4>, 6> faces{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (auto const& f : faces) {
    triangles.push_back({corner(f[0]), corner(f[1]), corner(f[2])});
    triangles.push_back({corner(f[0]), corner(f[2]), corner(f[3])});
  }
  return triangles;
}

/// An icosahedron whose triangles are cut in four `times` times, its corners on the sphere.
inline std::vector<Triangle> sphere_triangles(Vector3 centre, double radius, int times) {
  double const g = std::numbers::phi;
  std::vector<Vector3> const p{{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                               {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                               {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  constexpr std::array<std::array<std::size_t, 3>, 20> faces{
      {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
       {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
       {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
  auto const on_sphere = [](Vector3 v) { return (1 / length(v)) * v; };
  std::vector<Triangle> triangles;
  triangles.reserve(faces.size());
  for (auto const& f : faces)
    triangles.push_back({on_sphere(p[f[0]]), on_sphere(p[f[1]]), on_sphere(p[f[2]])});
  for (int i = 0; i < times; ++i) {
    std::vector<Triangle> finer;
    for (auto const& [a, b, c] : triangles) {
      Vector3 const ab = on_sphere(a + b), bc = on_sphere(b + c), ca = on_sphere(c + a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    triangles = std::move(finer);
  }
  for (Triangle& triangle : triangles)
    for (Vector3& corner : triangle) corner = centre + radius * corner;
  return triangles;
}

/// A torus around the z axis through `centre`, of n x m quadrilaterals.
inline std::vector<Triangle> torus_triangles(Vector3 centre, double ring, double tube, int n,
                                             int m) {
  auto const at = [&](int i, int j) {
    double const a = 2 * std::numbers::pi * (i % n) / n, b = 2 * std::numbers::pi * (j % m) / m;
    double const r = ring + tube * std::cos(b);
    return centre + Vector3{r * std::cos(a), r * std::sin(a), tube * std::sin(b)};
  };
  std::vector<Triangle> triangles;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  return triangles;
}

inline std::string binary_stl(std::vector<Triangle> const& triangles,
                              std::string header = "made by a test") {
  header.resize(80, '\0');
  Bytes bytes(false);
  bytes.text(header).number(triangles.size(), 4);
  for (Triangle const& triangle : triangles) {
    bytes.number(0, 8).number(0, 4);  // the normal
    for (Vector3 const& corner : triangle) {
      for (Axis const axis : all_axes)
        bytes.number(std::bit_cast<std::uint32_t>(static_cast<float>(corner[axis])), 4);
    }
    bytes.number(0, 2);
  }
  return bytes.str();
}

inline std::string ascii_stl(std::vector<Triangle> const& triangles,
                             std::string const& name = "a part") {
  std::string text = "solid " + name + "\n";
  for (Triangle const& triangle : triangles) {
    text += "  facet normal 0 0 0\n    outer loop\n";
    for (Vector3 const& c : triangle) text += fmt::format("      vertex {} {} {}\n", c.x, c.y, c.z);
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid " + name + "\n";
}

}  // namespace tessera::test
