// SPDX-License-Identifier: MIT
#include "models/spectral/box_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"

namespace tessera::spectral {
namespace {

/// Own axis a of an element runs along the box's axis axis[a], backwards if so.
struct Orientation {
  std::array<int, 3> axis{0, 1, 2};
  std::array<bool, 3> backwards{};
};

std::vector<Orientation> orientations(int dimension) {
  std::vector<Orientation> found;
  std::array<int, 3> axis{0, 1, 2};
  do {
    if (dimension == 2 && axis[2] != 2) continue;
    int inversions = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = a + 1; b < 3; ++b) inversions += axis[a] > axis[b] ? 1 : 0;
    }
    for (int flips = 0; flips < 1 << dimension; ++flips) {
      Orientation const o{axis, {(flips & 1) != 0, (flips & 2) != 0, (flips & 4) != 0}};
      int const mirrors = inversions + (flips & 1) + (flips >> 1 & 1) + (flips >> 2 & 1);
      if (mirrors % 2 == 0) found.push_back(o);
    }
  } while (std::ranges::next_permutation(axis).found);
  std::ranges::stable_partition(found, [](Orientation const& o) {
    return o.axis == std::array{0, 1, 2} && o.backwards == std::array<bool, 3>{};
  });
  return found;
}

/// A box's side, 2 a or 2 a + 1, as a side of an element that is put so.
int own_side(Orientation const& o, int box_side) {
  for (int a = 0; a < 3; ++a) {
    auto const i = static_cast<std::size_t>(a);
    if (o.axis[i] == box_side / 2) return 2 * a + (box_side % 2 ^ (o.backwards[i] ? 1 : 0));
  }
  return -1;
}

/// The corners of a side of the element as numbers of corners of the box's side: bit a of a number
/// is where it lies along the box's axis a, of those across.
std::vector<std::int32_t> corners_of_side(Orientation const& o, int dimension, int side) {
  std::vector<std::int32_t> all;
  for (int v = 0; v < 1 << dimension; ++v) {
    std::int32_t in_box = 0;
    for (int a = 0; a < dimension; ++a) {
      auto const i = static_cast<std::size_t>(a);
      int const at = (v >> a & 1) ^ (o.backwards[i] ? 1 : 0);
      if (a != side / 2) in_box |= at << o.axis[i];
    }
    all.push_back(in_box);
  }
  return vertices_of_side(dimension, all, side);
}

void check(BoxMesh const& box) {
  if (box.dimension != 2 && box.dimension != 3)
    throw BadInput(fmt::format("mesh: of dimension {}, expected 2 or 3", box.dimension));
  if (box.map_degree < 1 || box.map_degree > most_map_degree)
    throw BadInput(
        fmt::format("mesh: maps of degree {}, expected 1 to {}", box.map_degree, most_map_degree));
  for (std::size_t a = 0; a < static_cast<std::size_t>(box.dimension); ++a) {
    if (box.cells[a] < 1)
      throw BadInput(
          fmt::format("mesh: {} cells along {}, expected 1 or more", box.cells[a], "xyz"[a]));
    if (!(box.size[a] > 0))
      throw BadInput(
          fmt::format("mesh: size {} along {}, expected more than 0", box.size[a], "xyz"[a]));
  }
}

class Maker {
 public:
  explicit Maker(BoxMesh const& box)
      : box_(box), orientations_(orientations(box.dimension)), cells_(box.cells) {
    if (box.dimension == 2) cells_[2] = 1;
  }

  Mesh make() {
    Mesh mesh{.dimension = box_.dimension, .map_degree = box_.map_degree};
    name_boundaries(mesh);
    for (std::int32_t k = 0; k < cells_[2]; ++k) {
      for (std::int32_t j = 0; j < cells_[1]; ++j) {
        for (std::int32_t i = 0; i < cells_[0]; ++i) add_cell(mesh, {i, j, k});
      }
    }
    return mesh;
  }

 private:
  using Cell = std::array<std::int32_t, 3>;

  std::int32_t number(Cell const& at) const {
    return at[0] + cells_[0] * (at[1] + cells_[1] * at[2]);
  }
  Orientation const& orientation(std::int32_t cell) const {
    return orientations_[static_cast<std::size_t>(box_.turn ? box_.turn(cell) : 0)];
  }

  void name_boundaries(Mesh& mesh) {
    for (std::size_t a = 0; a < static_cast<std::size_t>(box_.dimension); ++a) {
      if (box_.periodic[a]) continue;
      first_boundary_[a] = static_cast<std::int16_t>(mesh.boundaries.size());
      for (char const end : {'-', '+'}) mesh.boundaries.push_back({"xyz"[a], end});
    }
  }

  Point place(Cell const& cell, std::array<double, 3> const& inside) const {
    Point at{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(box_.dimension); ++a)
      at[a] = box_.origin[a] + (cell[a] + inside[a]) * box_.size[a] / cells_[a];
    return at;
  }

  void add_cell(Mesh& mesh, Cell const& cell) {
    Orientation const& o = orientation(number(cell));
    add_nodes(mesh, cell, o);
    int const degree = box_.degree ? box_.degree(place(cell, {0.5, 0.5, 0.5})) : 3;
    if (degree < 0 || degree > most_degree)
      throw BadInput(
          fmt::format("mesh: a cell is of degree {}, expected 0 to {}", degree, most_degree));
    mesh.degree.push_back(static_cast<std::uint8_t>(degree));
    mesh.faces.resize(mesh.faces.size() + mesh.sides());
    for (int side = 0; side < 2 * box_.dimension; ++side) add_side(mesh, cell, o, side);
  }

  void add_nodes(Mesh& mesh, Cell const& cell, Orientation const& o) const {
    int const k = box_.map_degree;
    int const deep = box_.dimension == 3 ? k : 0;
    for (int c = 0; c <= deep; ++c) {
      for (int b = 0; b <= k; ++b) {
        for (int a = 0; a <= k; ++a) {
          std::array<int, 3> const own{a, b, c};
          std::array<double, 3> inside{};
          for (std::size_t d = 0; d < static_cast<std::size_t>(box_.dimension); ++d) {
            int const at = o.backwards[d] ? k - own[d] : own[d];
            inside[static_cast<std::size_t>(o.axis[d])] = static_cast<double>(at) / k;
          }
          Point const straight = place(cell, inside);
          mesh.nodes.push_back(box_.bend ? box_.bend(straight) : straight);
        }
      }
    }
  }

  void add_side(Mesh& mesh, Cell const& cell, Orientation const& o, int box_side) const {
    auto const axis = static_cast<std::size_t>(box_side / 2);
    int const step = box_side % 2 == 0 ? -1 : 1;
    int const side = own_side(o, box_side);
    Face& face = mesh.face(mesh.elements() - 1, static_cast<std::size_t>(side));
    Cell beside = cell;
    beside[axis] += step;
    if (beside[axis] < 0 || beside[axis] >= cells_[axis]) {
      if (!box_.periodic[axis]) {
        face.boundary = static_cast<std::int16_t>(first_boundary_[axis] + box_side % 2);
        return;
      }
      beside[axis] = (beside[axis] + cells_[axis]) % cells_[axis];
    }
    std::int32_t const other = number(beside);
    Orientation const& theirs = orientation(other);
    int const their_side = own_side(theirs, box_side ^ 1);
    face = {other, static_cast<std::int8_t>(their_side),
            static_cast<std::uint8_t>(
                turn_between(corners_of_side(o, box_.dimension, side),
                             corners_of_side(theirs, box_.dimension, their_side))),
            -1};
  }

  BoxMesh const& box_;
  std::vector<Orientation> orientations_;
  std::array<std::int32_t, 3> cells_{};
  std::array<std::int16_t, 3> first_boundary_{};
};

}  // namespace

int turns_of_element(int dimension) { return dimension == 2 ? 4 : 24; }

Mesh make_mesh(BoxMesh const& box) {
  check(box);
  return Maker(box).make();
}

}  // namespace tessera::spectral
