// SPDX-License-Identifier: MIT
#include "models/spectral/element_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <unordered_set>
#include <utility>

namespace tessera::spectral {
namespace {

using Cell = std::array<std::int32_t, 3>;

/// Interleaves the lowest 21 bits of three coordinates.
std::uint64_t z_order(Cell const& at) {
  std::uint64_t key = 0;
  for (unsigned bit = 0; bit < 21; ++bit) {
    for (unsigned a = 0; a < 3; ++a)
      key |= (static_cast<std::uint64_t>(at[a]) >> bit & 1U) << (3 * bit + a);
  }
  return key;
}

/// Elements by a Z-order curve through their middles, in units of their mean size.
std::vector<std::int32_t> by_middles(Mesh const& mesh) {
  struct Box {
    Point low, high;
  };
  std::vector<Box> boxes;
  Point begin{};
  Point mean{};
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    std::span<Point const> const nodes = mesh.nodes_of(e);
    Box& box = boxes.emplace_back(nodes[0], nodes[0]);
    for (std::size_t a = 0; a < 3; ++a) {
      for (Point const& node : nodes) {
        box.low[a] = std::min(box.low[a], node[a]);
        box.high[a] = std::max(box.high[a], node[a]);
      }
      begin[a] = e == 0 ? box.low[a] : std::min(begin[a], box.low[a]);
      mean[a] += (box.high[a] - box.low[a]) / static_cast<double>(mesh.elements());
    }
  }
  std::vector<std::uint64_t> position;
  for (Box const& box : boxes) {
    Cell at{};
    for (std::size_t a = 0; a < 3; ++a) {
      double const middle = 0.5 * (box.low[a] + box.high[a]);
      double const cells = mean[a] > 0 ? (middle - begin[a]) / mean[a] : 0;
      at[a] = static_cast<std::int32_t>(std::clamp(std::floor(cells), 0.0, 2097151.0));
    }
    position.push_back(z_order(at));
  }
  std::vector<std::int32_t> order(mesh.elements());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {},
                           [&](std::int32_t e) { return position[static_cast<std::size_t>(e)]; });
  return order;
}

/// Lays elements out on cells, patch by patch.
class Patches {
 public:
  explicit Patches(Mesh const& mesh)
      : mesh_(mesh), node_of_corner_(nodes_of_corners(mesh)), placed_(mesh.elements()) {}

  std::vector<std::int32_t> along_curve() {
    for (std::int32_t const e : by_middles(mesh_))
      if (!placed(e).is_placed) add_patch(e);
    return std::move(order_);
  }

 private:
  struct Placed {
    bool is_placed = false;
    Cell cell{};
    std::array<int, 3> forward{};  ///< the side that looks along each axis of the patch
  };
  Placed& placed(std::int32_t e) { return placed_[static_cast<std::size_t>(e)]; }

  /// Adds all elements that can be reached from an element, nearest first, as a patch.
  void add_patch(std::int32_t first) {
    std::vector<std::int32_t> patch{first};
    std::unordered_set<std::uint64_t> taken{z_order({})};
    placed(first) = {true, {}, forward_of_first(first)};
    Cell low{};
    for (std::size_t i = 0; i < patch.size(); ++i) {
      std::int32_t const e = patch[i];
      for (int axis = 0; axis < mesh_.dimension; ++axis) {
        for (int const step : {-1, 1}) {
          auto const a = static_cast<std::size_t>(axis);
          int const side = placed(e).forward[a] ^ (step < 0 ? 1 : 0);
          Face const& face =
              mesh_.face(static_cast<std::size_t>(e), static_cast<std::size_t>(side));
          if (face.neighbour < 0 || placed(face.neighbour).is_placed || is_period(e, side))
            continue;
          Cell cell = placed(e).cell;
          cell[a] += step;
          if (!taken.insert(z_order(cell)).second) continue;
          placed(face.neighbour) = {true, cell, forward_behind(placed(e).forward, side, face)};
          patch.push_back(face.neighbour);
          low[a] = std::min(low[a], cell[a]);
        }
      }
    }
    std::ranges::sort(patch, {}, [&](std::int32_t e) {
      Cell cell = placed(e).cell;
      for (std::size_t a = 0; a < 3; ++a) cell[a] -= low[a];
      return z_order(cell);
    });
    order_.insert(order_.end(), patch.begin(), patch.end());
  }

  /// The sides of the first element that look most nearly along x, y and z.
  std::array<int, 3> forward_of_first(std::int32_t e) const {
    std::array<int, 3> forward{};
    std::array<bool, 3> is_used{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(mesh_.dimension); ++a) {
      double most = -1;
      for (int own = 0; own < mesh_.dimension; ++own) {
        Point const& from = corner(e, 2 * own, 0);
        Point const& to = corner(e, 2 * own + 1, 0);
        double const along = (to[a] - from[a]) / distance(from, to);
        if (is_used[static_cast<std::size_t>(own)] || std::abs(along) <= most) continue;
        most = std::abs(along);
        forward[a] = 2 * own + (along > 0 ? 1 : 0);
      }
      is_used[static_cast<std::size_t>(forward[a] / 2)] = true;
    }
    return forward;
  }

  /// The sides of the neighbour behind `side` that look the same way as the sides `forward` of the
  /// element.
  std::array<int, 3> forward_behind(std::array<int, 3> forward, int side, Face const& face) const {
    auto const other_axes = [](int axis) {
      return axis == 0 ? std::array{1, 2} : axis == 1 ? std::array{0, 2} : std::array{0, 1};
    };
    std::array<int, 2> const own = other_axes(side / 2);
    std::array<int, 2> theirs = other_axes(face.side / 2);
    if ((face.turn & Turn::swap) != 0) std::swap(theirs[0], theirs[1]);
    for (int a = 0; a < mesh_.dimension; ++a) {
      int& looks = forward[static_cast<std::size_t>(a)];
      if (looks / 2 == side / 2) {
        looks = looks == side ? face.side ^ 1 : face.side;
      } else {
        std::size_t const k = looks / 2 == own[0] ? 0 : 1;
        bool const flips = (face.turn & (k == 0 ? Turn::flip_a : Turn::flip_b)) != 0;
        looks = (2 * theirs[k] + looks % 2) ^ (flips ? 1 : 0);
      }
    }
    return forward;
  }

  /// Whether a side is periodic: its neighbour lies at the other end of the mesh.
  bool is_period(std::int32_t e, int side) const {
    Face const& face = mesh_.face(static_cast<std::size_t>(e), static_cast<std::size_t>(side));
    Point const& own = corner(e, side, 0);
    Point const& theirs = corner(face.neighbour, face.side, turned_point(face.turn, 2, 0, 0));
    return distance(own, theirs) > 0.5 * distance(own, corner(e, side, corners_of_side() - 1));
  }
  int corners_of_side() const { return 1 << (mesh_.dimension - 1); }
  Point const& corner(std::int32_t e, int side, int number) const {
    auto const place = side * corners_of_side() + number;
    std::int32_t const node = node_of_corner_[static_cast<std::size_t>(place)];
    return mesh_.nodes_of(static_cast<std::size_t>(e))[static_cast<std::size_t>(node)];
  }
  static std::vector<std::int32_t> nodes_of_corners(Mesh const& mesh) {
    std::int32_t const k = mesh.map_degree, row = k + 1;
    std::array<std::int32_t, 8> of_vertex{};
    for (std::int32_t v = 0; v < 8; ++v)
      of_vertex[static_cast<std::size_t>(v)] =
          k * ((v & 1) + row * ((v >> 1 & 1) + row * (v >> 2 & 1)));
    std::vector<std::int32_t> found;
    for (int side = 0; side < 2 * mesh.dimension; ++side) {
      auto const of_side = vertices_of_side(mesh.dimension, of_vertex, side);
      found.insert(found.end(), of_side.begin(), of_side.end());
    }
    return found;
  }
  static double distance(Point const& a, Point const& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }

  Mesh const& mesh_;
  std::vector<std::int32_t> node_of_corner_;  ///< [side][corner]
  std::vector<Placed> placed_;
  std::vector<std::int32_t> order_;
};

}  // namespace

std::vector<std::int32_t> along_curve(Mesh const& mesh) { return Patches(mesh).along_curve(); }

}  // namespace tessera::spectral
