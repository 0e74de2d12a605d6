// SPDX-License-Identifier: MIT
#include "geometry/mesh_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "geometry/chord.hpp"
#include "geometry/triangle_index.hpp"

namespace tessera {
namespace {

Axis longest_axis(Vector3 direction) {
  return *std::ranges::max_element(all_axes, {},
                                   [&](Axis axis) { return std::abs(direction[axis]); });
}

/// Coordinates along and across a line: the line is u = v = 0, and its point at `from` + t
/// `direction` has w = t.
class LineFrame {
 public:
  LineFrame(Vector3 from, Vector3 direction)
      : from_(from),
        along_(longest_axis(direction)),
        first_(along_ == Axis::x ? Axis::y : Axis::x),
        second_(along_ == Axis::z ? Axis::y : Axis::z),
        first_slope_(direction[first_] / direction[along_]),
        second_slope_(direction[second_] / direction[along_]),
        scale_(direction[along_]) {}

  struct Place {
    double u;
    double v;
    double w;
  };
  Place operator()(Vector3 point) const {
    Vector3 const r = point - from_;
    return {r[first_] - first_slope_ * r[along_], r[second_] - second_slope_ * r[along_],
            r[along_] / scale_};
  }

 private:
  Vector3 from_;
  Axis along_;
  Axis first_;
  Axis second_;
  double first_slope_;
  double second_slope_;
  double scale_;
};

using Place = LineFrame::Place;

/// 1, -1 or 0: whether an edge crosses the half-line u > 0, v = 0, and in which direction. It is
/// computed from the lower to the upper end, whichever way around the edge is given.
int crossing_of_edge(Place const& a, Place const& b) {
  bool const a_above = a.v > 0;
  bool const b_above = b.v > 0;
  if (a_above == b_above) return 0;
  Place const& low = a_above ? b : a;
  Place const& high = a_above ? a : b;
  if (!(low.u * high.v - high.u * low.v > 0)) return 0;
  return b_above ? 1 : -1;
}

struct Hit {
  double t;
  int sense;  ///< 1 or -1: in which direction the line passes through the triangle; 0: not at all
};

Hit hit_of(LineFrame const& frame, Triangle const& triangle) {
  std::array<Place, 3> const p{frame(triangle[0]), frame(triangle[1]), frame(triangle[2])};
  int const sense =
      crossing_of_edge(p[0], p[1]) + crossing_of_edge(p[1], p[2]) + crossing_of_edge(p[2], p[0]);
  if (sense == 0) return {0, 0};
  // The plane of the triangle at u = v = 0. Of a triangle that the line all but lies in only the
  // reach along the line is certain.
  double const u1 = p[1].u - p[0].u, v1 = p[1].v - p[0].v, w1 = p[1].w - p[0].w;
  double const u2 = p[2].u - p[0].u, v2 = p[2].v - p[0].v, w2 = p[2].w - p[0].w;
  double const area = u1 * v2 - u2 * v1;
  double const t =
      p[0].w + ((p[0].v * u2 - p[0].u * v2) * w1 + (p[0].u * v1 - p[0].v * u1) * w2) / area;
  auto const [least, most] = std::minmax({p[0].w, p[1].w, p[2].w});
  return {std::isfinite(t) ? std::clamp(t, least, most) : (least + most) / 2, sense};
}

class MeshSurface final : public Surface {
 public:
  MeshSurface(TriangleMesh mesh, std::string name)
      : mesh_(std::move(mesh)), name_(std::move(name)), bounds_(mesh_.bounds()), index_(mesh_) {}

  bool inside(Vector3 point) const override {
    std::uint8_t solid = 0;
    inside_row(point, {&solid, 1});
    return solid != 0;
  }

  std::optional<double> crossing(Vector3 from, Vector3 to) const override {
    Vector3 const way = to - from;
    // A little more on both ends: the surface may pass through a voxel's centre.
    constexpr double more = 1e-6;
    thread_local std::vector<std::uint32_t> near;
    index_.find(from - more * way, to + more * way, near);
    std::optional<double> first;
    LineFrame const frame(from, way);
    for (std::uint32_t const index : near) {
      Hit const hit = hit_of(frame, mesh_.triangle(index));
      if (hit.sense == 0) continue;
      auto const t = fraction_of_segment(hit.t);
      if (t && (!first || *t < *first)) first = t;
    }
    return first;
  }

  Bounds bounds() const override { return bounds_; }
  std::string name() const override { return name_; }

  /// One line through the whole mesh serves all voxels of the row.
  void inside_row(Vector3 first, std::span<std::uint8_t> row) const override {
    std::ranges::fill(row, std::uint8_t{0});
    // From a place that does not depend on the row, so that each point has one answer.
    Vector3 const begin{bounds_.lower.x - 1, first.y, first.z};
    Vector3 const end{bounds_.upper.x + 1, first.y, first.z};
    thread_local std::vector<std::uint32_t> near;
    index_.find(begin, end, near);
    thread_local std::vector<Hit> hits;
    hits.clear();
    LineFrame const frame(begin, {1, 0, 0});
    for (std::uint32_t const index : near) {
      Hit const hit = hit_of(frame, mesh_.triangle(index));
      if (hit.sense != 0) hits.push_back({begin.x + hit.t, hit.sense});
    }
    std::ranges::sort(hits, {}, &Hit::t);
    int winding = 0;
    auto hit = hits.begin();
    for (std::size_t i = 0; i < row.size(); ++i) {
      double const x = first.x + static_cast<double>(i);
      for (; hit != hits.end() && hit->t <= x; ++hit) winding += mesh_.oriented ? hit->sense : 1;
      row[i] = (mesh_.oriented ? winding != 0 : winding % 2 != 0) ? 1 : 0;
    }
  }

 private:
  TriangleMesh mesh_;
  std::string name_;
  Bounds bounds_;
  TriangleIndex index_;
};

}  // namespace

SurfacePointer mesh_surface(TriangleMesh mesh, std::string name) {
  return std::make_shared<MeshSurface>(std::move(mesh), std::move(name));
}

}  // namespace tessera
