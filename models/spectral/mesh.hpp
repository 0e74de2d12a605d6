// SPDX-License-Identifier: MIT
// A mesh of quadrilaterals or hexahedra that meet face to face, each with a map of its own and a
// degree of its own. Plain data, made by box_mesh.hpp, or by a reader of files with connect()
// below.
//
// An element is the image of [0, 1]^d. Its sides: 0, 1 at xi = 0, 1; 2, 3 at eta = 0, 1; 4, 5 at
// zeta = 0, 1. The axes of a side are the others, ascending: (eta, zeta), (xi, zeta), (xi, eta).
// Vertex v of an element lies at xi = v & 1, eta = v >> 1 & 1, zeta = v >> 2 & 1.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "models/spectral/boundary.hpp"
#include "models/spectral/points.hpp"

namespace tessera::spectral {

inline constexpr int most_map_degree = 4;

/// How the axes of a side lie on the neighbour's side: point (a, b) of one is (a', b') of the
/// other, where first a and b are flipped if so, then swapped if so.
struct Turn {
  static constexpr std::uint8_t swap = 1;
  static constexpr std::uint8_t flip_a = 2;
  static constexpr std::uint8_t flip_b = 4;
};

/// Where point (a, b) of a side with n x n points is found on the neighbour's. In two dimensions
/// b = 0 and there is no `swap` and no `flip_b`.
TESSERA_HOST_DEVICE constexpr int turned_point(int turn, int n, int a, int b) {
  if ((turn & Turn::flip_a) != 0) a = n - 1 - a;
  if ((turn & Turn::flip_b) != 0) b = n - 1 - b;
  return (turn & Turn::swap) != 0 ? a * n + b : b * n + a;
}

/// What lies behind a side of an element.
struct Face {
  std::int32_t neighbour = -1;  ///< an element, or -1
  std::int8_t side = 0;         ///< of the neighbour
  std::uint8_t turn = 0;        ///< Turn
  std::int16_t boundary = -1;   ///< without a neighbour: which one
};

struct Mesh {
  int dimension = 2;                 ///< 2 or 3
  int map_degree = 1;                ///< k of all elements
  std::vector<Point> nodes;          ///< element by element (k + 1)^d, equally spaced, xi fastest
  std::vector<std::uint8_t> degree;  ///< of the solution in each element
  std::vector<Face> faces;           ///< element by element 2 d
  std::vector<std::string> boundaries;  ///< names

  std::size_t elements() const { return degree.size(); }
  std::size_t sides() const { return 2 * static_cast<std::size_t>(dimension); }
  std::size_t nodes_per_element() const {
    auto const n = static_cast<std::size_t>(map_degree) + 1;
    return dimension == 2 ? n * n : n * n * n;
  }
  std::span<Point const> nodes_of(std::size_t element) const {
    return std::span(nodes).subspan(element * nodes_per_element(), nodes_per_element());
  }
  Face const& face(std::size_t element, std::size_t side) const {
    return faces[element * sides() + side];
  }
  Face& face(std::size_t element, std::size_t side) { return faces[element * sides() + side]; }
  /// Points of the solution, all elements together.
  std::size_t points() const;
};

/// Vertices of elements by number, 2^d each, in the order above.
using Vertices = std::vector<std::int32_t>;

/// Makes neighbours of all sides of the same vertices; the other sides remain without. The number
/// of elements is the size of `mesh.degree`. Throws BadInput if three elements share a side.
void connect(Mesh& mesh, Vertices const& vertices);
/// Makes neighbours of sides without one: a side with vertices v and a side with image(v) in their
/// place, -1 for vertices without an image. Only the sides of one periodic pair have images at a
/// time, so two cells across are enough. Throws BadInput if a side with images finds no partner.
void connect_periodic(Mesh& mesh, Vertices const& vertices,
                      std::function<std::int32_t(std::int32_t vertex)> const& image);
/// The vertices of a side, a fastest.
std::vector<std::int32_t> vertices_of_side(int dimension, std::span<std::int32_t const> of_element,
                                           int side);
/// How the side with vertices `own` lies on that with vertices `other`, the same ones in another
/// order; -1 if they are not.
int turn_between(std::span<std::int32_t const> own, std::span<std::int32_t const> other);

/// Throws BadInput for invalid degrees and counts, for neighbours that are not mutual, and for
/// sides with neither a neighbour nor a boundary.
void check(Mesh const& mesh);

}  // namespace tessera::spectral
