// SPDX-License-Identifier: MIT
#include "models/spectral/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/errors.hpp"

namespace tessera::spectral {
namespace {

struct Side {
  std::int32_t element;
  std::int8_t side;
  std::vector<std::int32_t> vertices;
};

std::vector<std::int32_t> sorted(std::vector<std::int32_t> vertices) {
  std::ranges::sort(vertices);
  return vertices;
}

std::span<std::int32_t const> vertices_of(Mesh const& mesh, Vertices const& vertices,
                                          std::size_t element) {
  std::size_t const corners = std::size_t{1} << mesh.dimension;
  return std::span(vertices).subspan(element * corners, corners);
}

/// The turn seen from the other side.
int opposite(int turn) {
  if ((turn & Turn::swap) == 0) return turn;
  int const flips = ((turn & Turn::flip_a) != 0 ? Turn::flip_b : 0) |
                    ((turn & Turn::flip_b) != 0 ? Turn::flip_a : 0);
  return Turn::swap | flips;
}

void join(Mesh& mesh, Side const& one, Side const& two, int turn) {
  mesh.face(static_cast<std::size_t>(one.element), static_cast<std::size_t>(one.side)) = {
      two.element, two.side, static_cast<std::uint8_t>(turn), -1};
  mesh.face(static_cast<std::size_t>(two.element), static_cast<std::size_t>(two.side)) = {
      one.element, one.side, static_cast<std::uint8_t>(opposite(turn)), -1};
}

}  // namespace

std::size_t Mesh::points() const {
  std::size_t total = 0;
  for (std::uint8_t const p : degree) {
    std::size_t const n = std::size_t{p} + 1;
    total += dimension == 2 ? n * n : n * n * n;
  }
  return total;
}

std::vector<std::int32_t> vertices_of_side(int dimension, std::span<std::int32_t const> of_element,
                                           int side) {
  int const axis = side / 2;
  std::vector<std::int32_t> found;
  for (int v = 0; v < 1 << dimension; ++v) {  // ascending: the lower axis is the faster one
    if ((v >> axis & 1) == side % 2) found.push_back(of_element[static_cast<std::size_t>(v)]);
  }
  return found;
}

int turn_between(std::span<std::int32_t const> own, std::span<std::int32_t const> other) {
  int const turns = own.size() == 2 ? 4 : 8;
  for (int turn = 0; turn < turns; ++turn) {
    if (own.size() == 2 && (turn & ~Turn::flip_a) != 0) continue;
    bool same = true;
    for (std::size_t v = 0; v < own.size(); ++v) {
      int const there = turned_point(turn, 2, static_cast<int>(v & 1), static_cast<int>(v >> 1));
      same = same && own[v] == other[static_cast<std::size_t>(there)];
    }
    if (same) return turn;
  }
  return -1;
}

void connect(Mesh& mesh, Vertices const& vertices) {
  mesh.faces.assign(mesh.elements() * mesh.sides(), Face{});
  std::map<std::vector<std::int32_t>, std::optional<Side>> open;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    for (std::size_t s = 0; s < mesh.sides(); ++s) {
      Side const side{
          static_cast<std::int32_t>(e), static_cast<std::int8_t>(s),
          vertices_of_side(mesh.dimension, vertices_of(mesh, vertices, e), static_cast<int>(s))};
      auto const [found, is_new] = open.try_emplace(sorted(side.vertices), side);
      if (is_new) continue;
      if (!found->second)
        throw BadInput(fmt::format("mesh: three elements share a side of element {}", e));
      int const turn = turn_between(found->second->vertices, side.vertices);
      if (turn < 0)
        throw BadInput(fmt::format("mesh: elements {} and {} share vertices, but no side",
                                   found->second->element, e));
      join(mesh, *found->second, side, turn);
      found->second.reset();
    }
  }
}

void connect_periodic(Mesh& mesh, Vertices const& vertices,
                      std::function<std::int32_t(std::int32_t vertex)> const& image) {
  std::map<std::vector<std::int32_t>, Side> open;
  std::vector<Side> moved;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    for (std::size_t s = 0; s < mesh.sides(); ++s) {
      if (mesh.face(e, s).neighbour >= 0) continue;
      Side side{
          static_cast<std::int32_t>(e), static_cast<std::int8_t>(s),
          vertices_of_side(mesh.dimension, vertices_of(mesh, vertices, e), static_cast<int>(s))};
      std::vector<std::int32_t> images;
      images.reserve(side.vertices.size());
      for (std::int32_t const v : side.vertices) images.push_back(image(v));
      if (std::ranges::find(images, -1) == images.end()) {
        side.vertices = std::move(images);
        moved.push_back(std::move(side));
      } else {
        open.emplace(sorted(side.vertices), std::move(side));
      }
    }
  }
  for (Side const& side : moved) {
    auto const partner = open.find(sorted(side.vertices));
    int const turn =
        partner == open.end() ? -1 : turn_between(side.vertices, partner->second.vertices);
    if (turn < 0)
      throw BadInput(
          fmt::format("mesh: side {} of element {} is periodic, but nothing lies opposite",
                      side.side, side.element));
    join(mesh, side, partner->second, turn);
    open.erase(partner);
  }
}

void check(Mesh const& mesh) {
  if (mesh.dimension != 2 && mesh.dimension != 3)
    throw BadInput(fmt::format("mesh: of dimension {}, expected 2 or 3", mesh.dimension));
  if (mesh.map_degree < 1 || mesh.map_degree > most_map_degree)
    throw BadInput(
        fmt::format("mesh: maps of degree {}, expected 1 to {}", mesh.map_degree, most_map_degree));
  if (mesh.elements() == 0) throw BadInput("mesh: there is no element");
  if (mesh.nodes.size() != mesh.elements() * mesh.nodes_per_element() ||
      mesh.faces.size() != mesh.elements() * mesh.sides()) {
    throw BadInput(fmt::format("mesh: {} nodes and {} sides do not belong to {} elements",
                               mesh.nodes.size(), mesh.faces.size(), mesh.elements()));
  }
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    if (mesh.degree[e] > most_degree)
      throw BadInput(fmt::format("mesh: element {} is of degree {}, expected 0 to {}", e,
                                 mesh.degree[e], most_degree));
    for (std::size_t s = 0; s < mesh.sides(); ++s) {
      Face const& face = mesh.face(e, s);
      if (face.neighbour < 0) {
        if (face.boundary < 0 || static_cast<std::size_t>(face.boundary) >= mesh.boundaries.size())
          throw BadInput(
              fmt::format("mesh: side {} of element {} has no neighbour and no boundary", s, e));
        continue;
      }
      bool const there = static_cast<std::size_t>(face.neighbour) < mesh.elements();
      Face const back = there ? mesh.face(static_cast<std::size_t>(face.neighbour),
                                          static_cast<std::size_t>(face.side))
                              : Face{};
      if (back.neighbour != static_cast<std::int32_t>(e) || back.side != static_cast<int>(s) ||
          back.turn != opposite(face.turn)) {
        throw BadInput(fmt::format("mesh: side {} of element {} does not fit its neighbour", s, e));
      }
    }
  }
}

}  // namespace tessera::spectral
