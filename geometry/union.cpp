// SPDX-License-Identifier: MIT
// Many solids as one, such as the spheres of a packing. A grid over their boxes says which of them
// may contain a point, so that the cost does not grow with their number.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/errors.hpp"
#include "geometry/overlap.hpp"
#include "geometry/surface.hpp"

namespace tessera {
namespace {

bool has_ends(Bounds const& bounds) { return is_finite(bounds.lower) && is_finite(bounds.upper); }

Bounds hull_of(std::vector<SurfacePointer> const& members) {
  Bounds hull = members.front()->bounds();
  for (SurfacePointer const& member : members) {
    Bounds const bounds = member->bounds();
    for (Axis const axis : all_axes) {
      hull.lower[axis] = std::min(hull.lower[axis], bounds.lower[axis]);
      hull.upper[axis] = std::max(hull.upper[axis], bounds.upper[axis]);
    }
  }
  return hull;
}

class Union final : public Surface {
 public:
  explicit Union(std::vector<SurfacePointer> members)
      : members_(std::move(members)), bounds_(hull_of(members_)) {
    std::vector<SurfacePointer> finite;
    std::ranges::copy_if(members_, std::back_inserter(finite),
                         [](SurfacePointer const& member) { return has_ends(member->bounds()); });
    if (!finite.empty()) make_grid(hull_of(finite), finite.size());
    for (SurfacePointer const& member : members_) {
      if (has_ends(member->bounds()))
        enter_in_grid(*member);
      else
        endless_.push_back(member.get());
    }
  }

  bool inside(Vector3 point) const override {
    auto const contains = [&](Surface const* member) { return member->inside(point); };
    return std::ranges::any_of(endless_, contains) || std::ranges::any_of(near(point), contains);
  }

  std::optional<double> crossing(Vector3 from, Vector3 to) const override {
    return crossing_of_overlap(from, to, inside(from), [&](Vector3 point, auto const& visit) {
      for (Surface const* member : endless_) visit(*member, Vector3{});
      for (Surface const* member : near(point)) visit(*member, Vector3{});
    });
  }

  Bounds bounds() const override { return bounds_; }
  std::string name() const override { return fmt::format("union of {}", members_.size()); }

 private:
  void make_grid(Bounds const& hull, std::size_t members) {
    grid_ = hull;
    auto const cells = std::clamp(static_cast<std::int64_t>(2 * std::cbrt(members)),
                                  std::int64_t{1}, std::int64_t{128});
    shape_ = {cells, cells, cells};
    cells_.resize(static_cast<std::size_t>(volume(shape_)));
  }

  Int3 cell_of(Vector3 point) const {
    Int3 cell;
    for (Axis const axis : all_axes) {
      double const part =
          (point[axis] - grid_.lower[axis]) / (grid_.upper[axis] - grid_.lower[axis]);
      auto const cells = static_cast<double>(shape_[axis]);
      cell[axis] = static_cast<std::int64_t>(std::clamp(part * cells, 0.0, cells - 1));
    }
    return cell;
  }

  void enter_in_grid(Surface const& member) {
    Int3 const first = cell_of(member.bounds().lower);
    Int3 const last = cell_of(member.bounds().upper);
    for (std::int64_t z = first.z; z <= last.z; ++z) {
      for (std::int64_t y = first.y; y <= last.y; ++y) {
        for (std::int64_t x = first.x; x <= last.x; ++x)
          cells_[linear_index(shape_, {x, y, z})].push_back(&member);
      }
    }
  }

  /// The members with ends that may contain the point.
  std::span<Surface const* const> near(Vector3 point) const {
    if (cells_.empty() || !grid_.contains(point)) return {};
    return cells_[linear_index(shape_, cell_of(point))];
  }

  std::vector<SurfacePointer> members_;
  Bounds bounds_;
  std::vector<Surface const*> endless_;
  Bounds grid_;
  Int3 shape_;
  std::vector<std::vector<Surface const*>> cells_;
};

}  // namespace

SurfacePointer union_of(std::vector<SurfacePointer> members) {
  if (members.empty()) throw BadInput("union of surfaces: it has no members; expected one or more");
  return std::make_shared<Union>(std::move(members));
}

}  // namespace tessera
