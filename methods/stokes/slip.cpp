// SPDX-License-Identifier: MIT
#include "methods/stokes/slip.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/machine/thread_team.hpp"
#include "geometry/vector3.hpp"
#include "models/lattice/d3q19.hpp"

namespace tessera {
namespace {

/// Standard deviations of the solid's smoothing and of the window along a wall, voxels.
constexpr double smoothing = 1.5;
constexpr double window = 1.5;
/// Where the solid's smoothing, the window and its thickness are cut off, voxels.
constexpr double smoothing_ends = 3 * smoothing;
constexpr double window_ends = 2.5 * window;
constexpr double window_thickness = 2;
/// Area of a wall node, on the mean of its window, below which there is no wall to speak of: that
/// of a plane is 1 to 1.7.
constexpr double least_area = 0.3;
/// Steadies the fit of the density where a window has hardly any extent along a direction.
constexpr double ridge = 0.05;
/// Voxels around the box that windows and smoothing reach.
constexpr std::int64_t margin = 5;

/// Rows, by axis.
struct Matrix {
  Vector3 x, y, z;

  Vector3& operator[](Axis axis) { return axis == Axis::x ? x : axis == Axis::y ? y : z; }
  Vector3 const& operator[](Axis axis) const {
    return axis == Axis::x ? x : axis == Axis::y ? y : z;
  }
};

/// m += factor a b^T
void add_product(double factor, Vector3 a, Vector3 b, Matrix& m) {
  for (Axis const row : all_axes) m[row] = m[row] + factor * a[row] * b;
}
Vector3 operator*(Matrix const& m, Vector3 v) { return {dot(m.x, v), dot(m.y, v), dot(m.z, v)}; }
Vector3 cross(Vector3 u, Vector3 v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

/// v without its part along a unit vector.
Vector3 along_wall(Vector3 v, Vector3 normal) { return v - dot(v, normal) * normal; }

Int3 step(int q) { return {D3Q19::x(q), D3Q19::y(q), D3Q19::z(q)}; }
Vector3 velocity(int q) {
  return {static_cast<double>(D3Q19::x(q)), static_cast<double>(D3Q19::y(q)),
          static_cast<double>(D3Q19::z(q))};
}

/// Solves m x = b by Cramer's rule; m is symmetric and positive.
Vector3 solved(Matrix const& m, Vector3 b) {
  Vector3 const of_x = cross(m.y, m.z), of_y = cross(m.z, m.x), of_z = cross(m.x, m.y);
  return 1 / dot(m.x, of_x) * (b.x * of_x + b.y * of_y + b.z * of_z);
}

/// The box with a margin, where links and windows need no test for its sides.
class Around {
 public:
  static constexpr std::int32_t solid = -2;
  static constexpr std::int32_t inner = -1;  ///< a node without a wall; else its number

  Around(Int3 shape, std::array<bool, 3> const& periodic, std::span<std::int64_t const> voxels)
      : shape_(shape), periodic_(periodic) {
    for (Axis const a : all_axes) wide_[a] = shape[a] + 2 * margin;
    numbers_.assign(static_cast<std::size_t>(volume(wide_)), solid);
    in_parallel_ranges(static_cast<std::int64_t>(voxels.size()), 1 << 16,
                       [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t n = begin; n < end; ++n)
                           numbers_[place(voxel_at(shape, voxels[static_cast<std::size_t>(n)]))] =
                               inner;
                       });
    repeat_sides();
  }

  std::size_t place(Int3 voxel) const {
    return static_cast<std::size_t>(linear_index(wide_, voxel + Int3{margin, margin, margin}));
  }
  std::int64_t offset(Int3 d) const { return d.x + wide_.x * (d.y + wide_.y * d.z); }
  std::int32_t at(std::size_t place, std::int64_t offset) const {
    return numbers_[static_cast<std::size_t>(static_cast<std::int64_t>(place) + offset)];
  }
  void number(std::size_t place, std::int32_t wall_node) { numbers_[place] = wall_node; }
  /// The margin of axes that wrap around.
  void repeat_sides() {
    in_parallel(wide_.z, [&](std::int64_t z) {
      for (Int3 at{0, 0, z}; at.y < wide_.y; ++at.y) {
        bool const row_is_inside = !is_beyond(Axis::y, at.y) && !is_beyond(Axis::z, at.z);
        for (at.x = 0; at.x < wide_.x; ++at.x) {
          if (row_is_inside && at.x == margin) at.x += shape_.x;
          if (auto const from = inside(at))
            numbers_[static_cast<std::size_t>(linear_index(wide_, at))] =
                numbers_[static_cast<std::size_t>(linear_index(wide_, *from))];
        }
      }
    });
  }

 private:
  bool is_beyond(Axis axis, std::int64_t at) const {
    return at < margin || at >= margin + shape_[axis];
  }
  /// The place in the box that one in the margin repeats; none beyond sides that do not wrap.
  std::optional<Int3> inside(Int3 at) const {
    for (Axis const a : all_axes) {
      if (!is_beyond(a, at[a])) continue;
      if (!periodic_[index_of(a)]) return std::nullopt;
      at[a] = margin + ((at[a] - margin) % shape_[a] + shape_[a]) % shape_[a];
    }
    return at;
  }

  Int3 shape_;
  std::array<bool, 3> periodic_;
  Int3 wide_;
  std::vector<std::int32_t> numbers_;
};

/// What the wall links of a node add up to.
struct WallNode {
  std::size_t place = 0;  ///< in Around
  double density = 0;
  double area = 0;
  Vector3 normal{};      ///< into the solid
  Vector3 force{};       ///< handed over along the wall
  Vector3 of_density{};  ///< 3 times what a density of 1 hands over
  Matrix of_push{};      ///< what a body force hands over
};

/// Calls visit(d, d as a vector) for all offsets up to a distance.
template <class Visit>
void for_each_offset(double distance, Visit const& visit) {
  for (Int3 d{-margin, -margin, -margin}; d.z <= margin; ++d.z) {
    for (d.y = -margin; d.y <= margin; ++d.y) {
      for (d.x = -margin; d.x <= margin; ++d.x) {
        Vector3 const r{static_cast<double>(d.x), static_cast<double>(d.y),
                        static_cast<double>(d.z)};
        if (dot(r, r) <= distance * distance) visit(d, r);
      }
    }
  }
}

/// Normals of the smoothed solid.
class Normals {
 public:
  explicit Normals(Around const& around) : around_(around) {
    for_each_offset(smoothing_ends + 0.75, [&](Int3 d, Vector3 from_node) {
      offsets_.push_back(around.offset(d));
      for (int q = 1; q < D3Q19::size; ++q) {
        Vector3 const r = from_node - 0.5 * velocity(q);
        double const square = dot(r, r);
        bool const counts = square <= smoothing_ends * smoothing_ends;
        double const weight = counts ? std::exp(-square / (2 * smoothing * smoothing)) : 0;
        of_link_[static_cast<std::size_t>(q)].push_back(weight * r);
      }
    });
  }

  /// Which of the voxels around a node are solid, for at().
  std::vector<std::size_t> solid_around(std::size_t place) const {
    std::vector<std::size_t> solid;
    solid.reserve(offsets_.size());
    for (std::size_t v = 0; v < offsets_.size(); ++v)
      if (around_.at(place, offsets_[v]) == Around::solid) solid.push_back(v);
    return solid;
  }
  /// At the middle of a link of the node, into the solid.
  Vector3 at(std::vector<std::size_t> const& solid, int q) const {
    std::vector<Vector3> const& weighted = of_link_[static_cast<std::size_t>(q)];
    Vector3 normal{};
    for (std::size_t const v : solid) normal = normal + weighted[v];
    // Between two walls of a slit there is none.
    if (length(normal) < 1e-6) normal = velocity(q);
    return 1 / length(normal) * normal;
  }

 private:
  Around const& around_;
  std::vector<std::int64_t> offsets_;
  std::array<std::vector<Vector3>, D3Q19::size> of_link_;
};

void add_links(Around const& around, Normals const& normals, StokesOddHalves const& odd,
               WallNode& node) {
  std::vector<std::size_t> const solid = normals.solid_around(node.place);
  for (int q = 1; q < D3Q19::size; ++q) {
    if (around.at(node.place, around.offset(step(q))) != Around::solid) continue;
    Vector3 const c = velocity(q);
    Vector3 const normal = normals.at(solid, q);
    double const weight = D3Q19::weight(q);
    double const into_wall =
        (q % 2 == 1 ? 1 : -1) * double{odd[static_cast<std::size_t>((q - 1) / 2)]};
    Vector3 const c_along = along_wall(c, normal);
    node.area += 6 * weight * dot(c, normal);
    node.normal = node.normal + 6 * weight * normal;
    node.force = node.force + 2 * into_wall * c_along;
    node.of_density = node.of_density + 6 * weight * c_along;
    add_product(weight, c_along, c, node.of_push);
  }
  if (double const size = length(node.normal); size > 0) node.normal = 1 / size * node.normal;
}

/// The sums of |tau|^2 over the area of single nodes.
class Stresses {
 public:
  Stresses(Around const& around, std::vector<WallNode> const& nodes)
      : around_(around), nodes_(nodes) {
    for_each_offset(std::hypot(window_ends, window_thickness), [&](Int3 d, Vector3 r) {
      offsets_.push_back({around.offset(d), r});
    });
  }

  /// None where the wall is not resolved.
  std::optional<double> of(WallNode const& node) const {
    std::vector<Near> const near = nodes_near(node);
    double area = 0, weights = 0;
    for (Near const& other : near) {
      area += other.weight * other.node->area;
      weights += other.weight;
    }
    if (!(area > least_area * weights)) return std::nullopt;
    Pressure const pressure = pressure_near(node, near);
    Vector3 sum{};
    for (Near const& other : near) {
      double const beyond = other.node->density - node.density - pressure.at(other.d);
      Vector3 const force = force_of(*other.node, pressure, beyond);
      // Turned from the tangent plane there into the one here.
      double const turn = dot(node.normal, force) / (1 + dot(node.normal, other.node->normal));
      sum = sum + other.weight * (force - turn * (node.normal + other.node->normal));
    }
    Vector3 const tau = 1 / area * along_wall(sum, node.normal);
    Vector3 const own = along_wall(force_of(node, pressure, -pressure.at({})), node.normal);
    return 2 * dot(own, tau) - node.area * dot(tau, tau);
  }

 private:
  struct Offset {
    std::int64_t offset;
    Vector3 d;
  };
  /// A node in the window of another one.
  struct Near {
    WallNode const* node;
    double weight;
    Vector3 d;
  };
  /// The density near a node less that of the node.
  struct Pressure {
    double here = 0;
    Vector3 gradient{};

    double at(Vector3 d) const { return here + dot(gradient, d); }
  };

  std::vector<Near> nodes_near(WallNode const& node) const {
    std::vector<Near> near;
    for (Offset const& o : offsets_) {
      std::int32_t const number = around_.at(node.place, o.offset);
      if (number < 0) continue;
      WallNode const& other = nodes_[static_cast<std::size_t>(number)];
      double const across = dot(node.normal, o.d);
      double const along = dot(o.d, o.d) - across * across;
      if (std::abs(across) > window_thickness || along > window_ends * window_ends) continue;
      double const alike = dot(node.normal, other.normal);
      if (alike > 0)
        near.push_back({&other, alike * std::exp(-along / (2 * window * window)), o.d});
    }
    return near;
  }

  /// Least squares, weighted with areas, linear along the wall.
  static Pressure pressure_near(WallNode const& node, std::vector<Near> const& near) {
    double total = 0, density = 0;
    Vector3 place{}, with_density{};
    Matrix squares{};
    for (Near const& other : near) {
      double const weight = other.weight * std::max(other.node->area, 1e-6);
      double const more = other.node->density - node.density;
      total += weight;
      density += weight * more;
      place = place + weight * other.d;
      with_density = with_density + weight * more * other.d;
      add_product(weight, other.d, other.d, squares);
    }
    density /= total;
    place = 1 / total * place;
    Vector3 const covariance = 1 / total * with_density - density * place;
    // Its part in the tangent plane, made regular across it.
    Vector3 const n = node.normal;
    Matrix spread{};
    for (Axis const a : all_axes)
      spread[a] = along_wall(1 / total * squares[a] - place[a] * place, n);
    Matrix fit{};
    for (Axis const a : all_axes) {
      fit[a] = along_wall({spread.x[a], spread.y[a], spread.z[a]}, n);  // it is symmetric
      fit[a][a] += ridge;
    }
    add_product(1 - ridge, n, n, fit);
    Pressure pressure;
    pressure.gradient = solved(fit, along_wall(covariance, n));
    pressure.here = density - dot(pressure.gradient, place);
    return pressure;
  }

  /// A node's force along the wall without what the pressure's gradient hands over; `beyond`: the
  /// density beyond what that gradient makes of it.
  static Vector3 force_of(WallNode const& node, Pressure const& pressure, double beyond) {
    return node.force - node.of_push * pressure.gradient + beyond / 3 * node.of_density;
  }

  Around const& around_;
  std::vector<WallNode> const& nodes_;
  std::vector<Offset> offsets_;
};

/// Which of the nodes have a wall link, in their order.
std::vector<std::size_t> nodes_at_walls(Around const& around, Int3 shape,
                                        std::span<std::int64_t const> voxels) {
  constexpr std::size_t range = 1 << 15;
  std::vector<std::vector<std::size_t>> of_range(voxels.size() / range + 1);
  in_parallel(static_cast<std::int64_t>(of_range.size()), [&](std::int64_t r) {
    auto const begin = static_cast<std::size_t>(r) * range;
    for (std::size_t n = begin; n < std::min(begin + range, voxels.size()); ++n) {
      std::size_t const place = around.place(voxel_at(shape, voxels[n]));
      bool at_wall = false;
      for (int q = 1; q < D3Q19::size && !at_wall; ++q)
        at_wall = around.at(place, around.offset(step(q))) == Around::solid;
      if (at_wall) of_range[static_cast<std::size_t>(r)].push_back(n);
    }
  });
  std::vector<std::size_t> all;
  for (auto const& found : of_range) all.insert(all.end(), found.begin(), found.end());
  return all;
}

}  // namespace

WallStress wall_stress(Int3 shape, std::array<bool, 3> const& periodic,
                       std::span<std::int64_t const> voxels, std::span<StokesState const> states,
                       std::span<StokesOddHalves const> odd) {
  Around around(shape, periodic, voxels);
  std::vector<std::size_t> const at_walls = nodes_at_walls(around, shape, voxels);
  std::vector<WallNode> nodes(at_walls.size());
  auto const for_each_node = [&](auto const& visit) {
    in_parallel_ranges(static_cast<std::int64_t>(nodes.size()), 256,
                       [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t w = begin; w < end; ++w)
                           visit(static_cast<std::size_t>(w));
                       });
  };
  Normals const normals(around);
  for_each_node([&](std::size_t w) {
    std::size_t const n = at_walls[w];
    nodes[w].place = around.place(voxel_at(shape, voxels[n]));
    nodes[w].density = states[n][0];
    add_links(around, normals, odd[n], nodes[w]);
  });
  for_each_node(
      [&](std::size_t w) { around.number(nodes[w].place, static_cast<std::int32_t>(w)); });
  around.repeat_sides();
  Stresses const stresses(around, nodes);
  std::vector<std::optional<double>> of_node(nodes.size());
  for_each_node([&](std::size_t w) { of_node[w] = stresses.of(nodes[w]); });
  WallStress stress;
  std::size_t resolved = 0;
  for (auto const& one : of_node) {  // in the nodes' order, whatever thread computed them
    if (!one) continue;
    stress.squared += *one;
    ++resolved;
  }
  if (!nodes.empty())
    stress.resolved = static_cast<double>(resolved) / static_cast<double>(nodes.size());
  return stress;
}

}  // namespace tessera
