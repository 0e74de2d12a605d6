// SPDX-License-Identifier: MIT
#include "geometry/triangle_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/errors.hpp"

namespace tessera {
namespace {

/// Numbers for the corners, the same number for equal points.
TriangleMesh welded(std::vector<Triangle> const& triangles) {
  auto const corner = [&](std::uint32_t i) -> Vector3 const& { return triangles[i / 3][i % 3]; };
  std::vector<std::uint32_t> order(3 * triangles.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) {
    Vector3 const& a = corner(i);
    Vector3 const& b = corner(j);
    if (a.x != b.x) return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
  });
  TriangleMesh mesh;
  mesh.triangles.resize(triangles.size());
  for (std::uint32_t const i : order) {
    if (mesh.vertices.empty() || mesh.vertices.back() != corner(i))
      mesh.vertices.push_back(corner(i));
    mesh.triangles[i / 3][i % 3] = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
  }
  std::erase_if(mesh.triangles, [](std::array<std::uint32_t, 3> const& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
  });
  return mesh;
}

/// An edge of a triangle from its lower vertex to its upper one, and whether the triangle passes it
/// in that direction.
struct Edge {
  std::uint32_t lower;
  std::uint32_t upper;
  bool upwards;

  bool same_place(Edge const& other) const { return lower == other.lower && upper == other.upper; }
};

std::vector<Edge> sorted_edges(TriangleMesh const& mesh) {
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (auto const& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      auto const [lower, upper] = std::minmax(t[i], t[(i + 1) % 3]);
      edges.push_back({lower, upper, t[i] == lower});
    }
  }
  std::ranges::sort(edges, {}, [](Edge const& e) { return std::pair(e.lower, e.upper); });
  return edges;
}

}  // namespace

Bounds TriangleMesh::bounds() const {
  Bounds bounds{vertices.front(), vertices.front()};
  for (Vector3 const& vertex : vertices) {
    for (Axis const axis : all_axes) {
      bounds.lower[axis] = std::min(bounds.lower[axis], vertex[axis]);
      bounds.upper[axis] = std::max(bounds.upper[axis], vertex[axis]);
    }
  }
  return bounds;
}

TriangleMesh closed_mesh(std::vector<Triangle> const& triangles, std::string const& name) {
  if (triangles.size() > std::size_t{1} << 30U)
    throw BadInput(fmt::format("{}: {} triangles; expected at most 2^30", name, triangles.size()));
  TriangleMesh mesh = welded(triangles);
  if (mesh.triangles.empty()) {
    throw BadInput(fmt::format(
        "{}: none of its {} triangles has three different corners; expected a closed surface", name,
        triangles.size()));
  }
  std::vector<Edge> const edges = sorted_edges(mesh);
  mesh.oriented = true;
  std::size_t all = 0;
  std::size_t open = 0;
  Edge first_open{};
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    while (end < edges.size() && edges[end].same_place(edges[begin])) ++end;
    ++all;
    if (end - begin != 2 && open++ == 0) first_open = edges[begin];
    if (end - begin == 2 && edges[begin].upwards == edges[begin + 1].upwards) mesh.oriented = false;
  }
  if (open > 0) {
    Vector3 const& a = mesh.vertices[first_open.lower];
    Vector3 const& b = mesh.vertices[first_open.upper];
    throw BadInput(
        fmt::format("{}: not watertight: {} of {} edges do not have exactly two triangles, one of "
                    "them from ({}, "
                    "{}, {}) to ({}, {}, {}); expected a closed surface",
                    name, open, all, a.x, a.y, a.z, b.x, b.y, b.z));
  }
  return mesh;
}

}  // namespace tessera
