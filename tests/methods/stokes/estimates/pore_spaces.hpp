// SPDX-License-Identifier: MIT
// Pore spaces whose pressure settles last where a solver does not look: chambers on throats of one
// voxel, networks of vugs, tunnels, fractures with one opening, mazes; and ordinary packings.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "geometry/generate.hpp"
#include "geometry/geometry.hpp"
#include "tests/methods/stokes/flows.hpp"

namespace tessera::test {

struct PoreSpace {
  std::string family;
  std::string name;
  std::function<Geometry()> make;
};

/// Uniform in [least, most]. Not the library's distributions, which differ between libraries.
class Chance {
 public:
  explicit Chance(std::uint32_t seed) : bits_(seed) {}
  std::int64_t of(std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(bits_() % static_cast<std::uint32_t>(most - least + 1));
  }
  bool one_in(std::int64_t n) { return of(1, n) == 1; }

 private:
  std::mt19937 bits_;
};

/// `count` square chambers in a row along x, on throats in the middle of them.
inline Geometry chain(std::int64_t count, std::int64_t width, std::int64_t length,
                      std::int64_t throat) {
  Geometry geometry = uniform_box({count * (length + throat), width + 2, width + 2}, 0);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t const begin = i * (length + throat) + throat / 2;
    carve(geometry, {begin, 1, 1}, {begin + length, width + 1, width + 1});
  }
  std::int64_t const middle = width / 2;
  carve(geometry, {0, middle, middle}, {geometry.shape.x, middle + 1, middle + 1});
  return geometry;
}

/// A row of voxels along an axis, from `from` to where that coordinate is `to`; returns its end.
inline Int3 tunnel(Geometry& geometry, Int3 from, Axis axis, std::int64_t to) {
  Int3 lower = from;
  Int3 upper = from;
  lower[axis] = std::min(from[axis], to);
  upper[axis] = std::max(from[axis], to);
  carve(geometry, lower, upper + Int3{1, 1, 1});
  from[axis] = to;
  return from;
}

inline void carve_ball(Geometry& geometry, Int3 middle, std::int64_t radius) {
  for (Int3 d{0, 0, -radius}; d.z <= radius; ++d.z) {
    for (d.y = -radius; d.y <= radius; ++d.y) {
      for (d.x = -radius; d.x <= radius; ++d.x) {
        if (d.x * d.x + d.y * d.y + d.z * d.z <= radius * (radius + 1))
          carve(geometry, middle + d, middle + d + Int3{1, 1, 1});
      }
    }
  }
}

/// cells^3 vugs, cubes or spheres; throats of one voxel connect most neighbours, and lead out at
/// both ends along x.
inline Geometry vugs(std::int64_t cells, std::int64_t cell, bool round, std::uint32_t seed) {
  Chance chance(seed);
  Geometry geometry = uniform_box({cells * cell, cells * cell, cells * cell}, 0);
  auto const middle = [&](Int3 at) {
    return Int3{at.x * cell + cell / 2, at.y * cell + cell / 2, at.z * cell + cell / 2};
  };
  for (Int3 at; at.z < cells; ++at.z) {
    for (at.y = 0; at.y < cells; ++at.y) {
      for (at.x = 0; at.x < cells; ++at.x) {
        Int3 const c = middle(at);
        std::int64_t const r = chance.of(cell / 4, cell / 2 - 1);
        if (round) {
          carve_ball(geometry, c, r);
        } else {
          carve(geometry, c - Int3{r, r, r}, c + Int3{r, r, r});
        }
        if (at.x == 0) tunnel(geometry, c, Axis::x, 0);
        if (!chance.one_in(4))
          tunnel(geometry, c, Axis::x, std::min((at.x + 1) * cell + cell / 2, cells * cell - 1));
        if (at.y + 1 < cells && !chance.one_in(3)) tunnel(geometry, c, Axis::y, c.y + cell);
        if (at.z + 1 < cells && !chance.one_in(3)) tunnel(geometry, c, Axis::z, c.z + cell);
      }
    }
  }
  return geometry;
}

/// Chambers anywhere; tunnels of one voxel lead from each to the next along x, some to a third.
inline Geometry chambers_anywhere(std::int64_t size, std::int64_t count, std::uint32_t seed) {
  Chance chance(seed);
  Geometry geometry = uniform_box({size, size, size}, 0);
  std::vector<Int3> middles;
  for (std::int64_t i = 0; i < count; ++i) {
    Int3 const half{chance.of(2, size / 6), chance.of(2, size / 6), chance.of(2, size / 6)};
    Int3 const c{chance.of(half.x + 1, size - half.x - 2), chance.of(half.y + 1, size - half.y - 2),
                 chance.of(half.z + 1, size - half.z - 2)};
    carve(geometry, c - half, c + half);
    middles.push_back(c);
  }
  std::ranges::sort(middles, {}, &Int3::x);
  auto const connect = [&](Int3 a, Int3 b) {
    a = tunnel(geometry, a, Axis::y, b.y);
    a = tunnel(geometry, a, Axis::x, b.x);
    tunnel(geometry, a, Axis::z, b.z);
  };
  for (std::size_t i = 0; i + 1 < middles.size(); ++i) {
    connect(middles[i], middles[i + 1]);
    if (i + 2 < middles.size() && chance.one_in(3)) connect(middles[i], middles[i + 2]);
  }
  tunnel(geometry, middles.front(), Axis::x, 0);
  tunnel(geometry, middles.back(), Axis::x, size - 1);
  return geometry;
}

/// A gap along the flow; walls across it with one opening each.
inline Geometry fracture(std::int64_t gap, std::int64_t length, std::int64_t width,
                         std::int64_t walls, std::uint32_t seed) {
  Chance chance(seed);
  Geometry geometry = uniform_box({length, width + 2, gap + 2}, 0);
  carve(geometry, {0, 1, 1}, {length, width + 1, gap + 1});
  for (std::int64_t k = 0; k < walls; ++k) {
    std::int64_t const at = (2 * k + 1) * length / (2 * walls);
    std::int64_t const opening = chance.of(1, width);
    std::int64_t const thick = chance.of(1, 3);
    for (std::int64_t x = at; x < at + thick; ++x) {
      for (std::int64_t y = 1; y <= width; ++y) {
        for (std::int64_t z = 1; z <= gap; ++z) {
          if (y != opening || z != 1) geometry.pore[linear_index(geometry.shape, {x, y, z})] = 0;
        }
      }
    }
  }
  return geometry;
}

/// A spanning tree of cells on a grid; corridors of `wide` voxels between walls of one.
inline Geometry maze(Int3 cells, std::int64_t wide, std::uint32_t seed) {
  Chance chance(seed);
  std::int64_t const pitch = wide + 1;
  Geometry geometry =
      uniform_box({cells.x * pitch + 1, cells.y * pitch + 1, cells.z * pitch + 1}, 0);
  auto const corner = [&](Int3 c) {
    return Int3{c.x * pitch + 1, c.y * pitch + 1, c.z * pitch + 1};
  };
  std::vector<char> seen(static_cast<std::size_t>(volume(cells)), 0);
  std::vector<Int3> path{{0, chance.of(0, cells.y - 1), chance.of(0, cells.z - 1)}};
  Int3 const w{wide, wide, wide};
  Int3 const entrance = corner(path.front());
  carve(geometry, {0, entrance.y, entrance.z}, entrance + w);
  seen[static_cast<std::size_t>(linear_index(cells, path.front()))] = 1;
  while (!path.empty()) {
    Int3 const at = path.back();
    std::vector<Int3> next;
    for (Int3 const step : {Int3{1, 0, 0}, Int3{-1, 0, 0}, Int3{0, 1, 0}, Int3{0, -1, 0},
                            Int3{0, 0, 1}, Int3{0, 0, -1}}) {
      Int3 const to = at + step;
      if (to.x < 0 || to.y < 0 || to.z < 0 || to.x >= cells.x || to.y >= cells.y || to.z >= cells.z)
        continue;
      if (seen[static_cast<std::size_t>(linear_index(cells, to))] == 0) next.push_back(to);
    }
    if (next.empty()) {
      path.pop_back();
      continue;
    }
    Int3 const to =
        next[static_cast<std::size_t>(chance.of(0, static_cast<std::int64_t>(next.size()) - 1))];
    Int3 const a = corner({std::min(at.x, to.x), std::min(at.y, to.y), std::min(at.z, to.z)});
    Int3 const b = corner({std::max(at.x, to.x), std::max(at.y, to.y), std::max(at.z, to.z)});
    carve(geometry, a, b + w);
    seen[static_cast<std::size_t>(linear_index(cells, to))] = 1;
    path.push_back(to);
  }
  Int3 const exit = corner({cells.x - 1, chance.of(0, cells.y - 1), chance.of(0, cells.z - 1)});
  carve(geometry, exit, {geometry.shape.x, exit.y + wide, exit.z + wide});
  return geometry;
}

/// What `make estimates` solves.
inline std::vector<PoreSpace> pore_spaces() {
  std::vector<PoreSpace> all;
  auto const add = [&](char const* family, std::string name, std::function<Geometry()> make) {
    all.push_back({family, std::move(name), std::move(make)});
  };
  auto const text = [](auto... n) {
    std::string s;
    ((s += std::to_string(n) + " "), ...);
    s.pop_back();
    return s;
  };
  for (std::int64_t const count : {2, 3, 4}) {
    for (std::int64_t const width : {6, 8, 10, 14, 16}) {
      for (std::int64_t const length : {12, 16, 26, 36}) {
        std::int64_t const throat = 1 + (count + width / 2 + length / 4) % 4;
        add("chains", text(count, width, length, throat),
            [=] { return chain(count, width, length, throat); });
      }
    }
  }
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    std::int64_t const cells = 2 + seed % 3;
    std::int64_t const cell = 8 + 2 * (seed % 4);
    add("square vugs", text(cells, cell, seed), [=] { return vugs(cells, cell, false, seed); });
    add("round vugs", text(cells, cell, seed), [=] { return vugs(cells, cell, true, seed); });
  }
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    std::int64_t const size = 24 + 4 * (seed % 5);
    std::int64_t const count = 3 + seed % 10;
    add("chambers", text(size, count, seed), [=] { return chambers_anywhere(size, count, seed); });
    std::int64_t const gap = 1 + seed % 5;
    std::int64_t const walls = 1 + seed % 4;
    std::int64_t const width = 10 + 4 * (seed % 6);
    add("fractures", text(gap, 48, width, walls, seed),
        [=] { return fracture(gap, 48, width, walls, seed); });
  }
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    std::int64_t const wide = 1 + seed % 3;
    Int3 const cells{std::int64_t{4 + seed % 7}, std::int64_t{3 + seed % 4},
                     std::int64_t{1 + seed % 4}};
    add("mazes", text(cells.x, cells.y, cells.z, wide, seed),
        [=] { return maze(cells, wide, seed); });
  }
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    double const porosity = 0.12 + 0.03 * (seed % 10);
    double const radius = 3 + seed % 4;
    add("packings", text(40, static_cast<int>(100 * porosity), static_cast<int>(radius), seed),
        [=] {
          return overlapping_spheres({40, 40, 40}, radius, porosity, seed).geometry;
        });
  }
  return all;
}

}  // namespace tessera::test
