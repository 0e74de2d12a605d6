// SPDX-License-Identifier: MIT
// Surfaces made of others: turned around, repeated.
#include "geometry/surface.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/overlap.hpp"

namespace tessera {
namespace {

class Outside final : public Surface {
 public:
  explicit Outside(SurfacePointer surface) : surface_(std::move(surface)) {}

  bool inside(Vector3 point) const override { return !surface_->inside(point); }
  std::optional<double> crossing(Vector3 from, Vector3 to) const override {
    return surface_->crossing(from, to);
  }
  Bounds bounds() const override { return {}; }
  std::string name() const override { return "outside of " + surface_->name(); }
  void inside_row(Vector3 first, std::span<std::uint8_t> row) const override {
    surface_->inside_row(first, row);
    for (std::uint8_t& voxel : row) voxel = voxel == 0 ? 1 : 0;
  }

 private:
  SurfacePointer surface_;
};

class PeriodicImages final : public Surface {
 public:
  PeriodicImages(SurfacePointer surface, Int3 shape, std::array<bool, 3> const& periodic)
      : surface_(std::move(surface)), original_(surface_->bounds()), bounds_(original_) {
    for (Axis const axis : all_axes) {
      bool const has_ends =
          std::isfinite(original_.lower[axis]) && std::isfinite(original_.upper[axis]);
      if (!periodic[index_of(axis)] || !has_ends) continue;
      period_[axis] = static_cast<double>(shape[axis]);
      bounds_.lower[axis] = -Bounds::infinity;
      bounds_.upper[axis] = Bounds::infinity;
    }
  }

  bool inside(Vector3 point) const override {
    bool found = false;
    for_shifts(point, point,
               [&](Vector3 shift) { found = found || surface_->inside(point + shift); });
    return found;
  }

  std::optional<double> crossing(Vector3 from, Vector3 to) const override {
    return crossing_of_overlap(from, to, inside(from), [&](Vector3 point, auto const& visit) {
      for_shifts(point, point, [&](Vector3 shift) { visit(*surface_, shift); });
    });
  }

  Bounds bounds() const override { return bounds_; }
  std::string name() const override { return "periodic " + surface_->name(); }

  void inside_row(Vector3 first, std::span<std::uint8_t> row) const override {
    std::ranges::fill(row, std::uint8_t{0});
    std::vector<std::uint8_t> copy(row.size());
    Vector3 const last = first + Vector3{static_cast<double>(row.size()), 0, 0};
    for_shifts(first, last, [&](Vector3 shift) {
      surface_->inside_row(first + shift, copy);
      std::ranges::transform(row, copy, row.begin(), [](auto a, auto b) { return a | b; });
    });
  }

 private:
  /// The whole numbers of periods by which a range may be moved and still meet the original.
  struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;
  };
  Range range_of(Axis axis, double lower, double upper) const {
    double const period = period_[axis];
    if (period == 0) return {};
    return {static_cast<std::int64_t>(std::ceil((original_.lower[axis] - upper) / period)),
            static_cast<std::int64_t>(std::floor((original_.upper[axis] - lower) / period))};
  }

  /// Calls `visit` with each shift that moves a part of the box into the original's.
  template <typename Visit>
  void for_shifts(Vector3 lower, Vector3 upper, Visit const& visit) const {
    std::array<Range, 3> ranges;
    for (Axis const axis : all_axes)
      ranges[index_of(axis)] = range_of(axis, lower[axis], upper[axis]);
    for (auto k = ranges[2].first; k <= ranges[2].last; ++k) {
      for (auto j = ranges[1].first; j <= ranges[1].last; ++j) {
        for (auto i = ranges[0].first; i <= ranges[0].last; ++i) {
          visit(Vector3{static_cast<double>(i) * period_.x, static_cast<double>(j) * period_.y,
                        static_cast<double>(k) * period_.z});
        }
      }
    }
  }

  SurfacePointer surface_;
  Bounds original_;
  Bounds bounds_;
  Vector3 period_;  ///< 0 along axes that are not periodic
};

}  // namespace

void Surface::inside_row(Vector3 first, std::span<std::uint8_t> row) const {
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = inside(first + Vector3{static_cast<double>(i), 0, 0}) ? 1 : 0;
}

SurfacePointer outside(SurfacePointer surface) {
  return std::make_shared<Outside>(std::move(surface));
}

SurfacePointer periodic_images(SurfacePointer surface, Int3 shape,
                               std::array<bool, 3> const& periodic) {
  return std::make_shared<PeriodicImages>(std::move(surface), shape, periodic);
}

}  // namespace tessera
