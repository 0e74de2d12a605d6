// SPDX-License-Identifier: MIT
#include "io/meshes/msh_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tessera {
namespace {

constexpr std::array<MshElementType, 10> element_types{{{15, 0, 1},
                                                        {1, 1, 1},
                                                        {8, 1, 2},
                                                        {26, 1, 3},
                                                        {3, 2, 1},
                                                        {10, 2, 2},
                                                        {36, 2, 3},
                                                        {5, 3, 1},
                                                        {12, 3, 2},
                                                        {92, 3, 3}}};

using Place = std::array<int, 3>;

constexpr std::array<Place, 8> corners{
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
constexpr std::array<std::array<std::size_t, 2>, 4> edges_of_quadrilateral{
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
constexpr std::array<std::array<std::size_t, 2>, 12> edges_of_hexahedron{{{0, 1},
                                                                          {0, 3},
                                                                          {0, 4},
                                                                          {1, 2},
                                                                          {1, 5},
                                                                          {2, 3},
                                                                          {2, 6},
                                                                          {3, 7},
                                                                          {4, 5},
                                                                          {4, 7},
                                                                          {5, 6},
                                                                          {6, 7}}};
/// The first corner of a face, and those along its first and its second axis.
constexpr std::array<std::array<std::size_t, 3>, 6> faces_of_hexahedron{
    {{0, 3, 1}, {0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {2, 3, 6}, {4, 5, 7}}};

Place corner(std::size_t number, int order) {
  Place place = corners[number];
  for (int& x : place) x *= order;
  return place;
}

/// From `from` so many steps of the `order` steps to `to`.
Place moved(Place place, std::size_t from, std::size_t to, int steps) {
  for (std::size_t a = 0; a < 3; ++a) place[a] += steps * (corners[to][a] - corners[from][a]);
  return place;
}

template <std::size_t edges>
void add_edges(std::vector<Place>& places, std::array<std::array<std::size_t, 2>, edges> const& all,
               int order) {
  for (auto const& [from, to] : all) {
    for (int i = 1; i < order; ++i) places.push_back(moved(corner(from, order), from, to, i));
  }
}

std::vector<Place> places_in_quadrilateral(int order) {
  if (order < 0) return {};
  if (order == 0) return {{0, 0, 0}};
  std::vector<Place> places;
  places.reserve(4);
  for (std::size_t c = 0; c < 4; ++c) places.push_back(corner(c, order));
  add_edges(places, edges_of_quadrilateral, order);
  for (Place const& inner : places_in_quadrilateral(order - 2))
    places.push_back({inner[0] + 1, inner[1] + 1, 0});
  return places;
}

std::vector<Place> places_in_hexahedron(int order) {
  if (order < 0) return {};
  if (order == 0) return {{0, 0, 0}};
  std::vector<Place> places;
  places.reserve(8);
  for (std::size_t c = 0; c < 8; ++c) places.push_back(corner(c, order));
  add_edges(places, edges_of_hexahedron, order);
  for (auto const& [first, along, up] : faces_of_hexahedron) {
    for (Place const& inner : places_in_quadrilateral(order - 2)) {
      Place const row = moved(corner(first, order), first, along, inner[0] + 1);
      places.push_back(moved(row, first, up, inner[1] + 1));
    }
  }
  for (Place const& inner : places_in_hexahedron(order - 2))
    places.push_back({inner[0] + 1, inner[1] + 1, inner[2] + 1});
  return places;
}

}  // namespace

std::size_t MshElementType::nodes() const {
  std::size_t count = 1;
  for (int a = 0; a < dimension; ++a) count *= static_cast<std::size_t>(order) + 1;
  return count;
}

MshElementType const* msh_element_type(std::int32_t number) {
  auto const* const found = std::ranges::find(element_types, number, &MshElementType::number);
  return found == element_types.end() ? nullptr : found;
}

std::string name_of_other_msh_element(std::int32_t number) {
  constexpr std::array<std::pair<std::int32_t, char const*>, 14> names{
      {{2, "a triangle"},
       {9, "a triangle"},
       {21, "a triangle"},
       {4, "a tetrahedron"},
       {11, "a tetrahedron"},
       {29, "a tetrahedron"},
       {6, "a prism"},
       {13, "a prism"},
       {18, "a prism"},
       {7, "a pyramid"},
       {14, "a pyramid"},
       {19, "a pyramid"},
       {16, "a quadrilateral without a middle (Mesh.SecondOrderIncomplete)"},
       {17, "a hexahedron without middles (Mesh.SecondOrderIncomplete)"}}};
  for (auto const& [known, name] : names) {
    if (known == number) return name;
  }
  return fmt::format("an element of type {}", number);
}

std::vector<std::size_t> msh_node_places(int dimension, int order) {
  auto const n = static_cast<std::size_t>(order) + 1;
  std::vector<std::size_t> numbers;
  for (Place const& p :
       dimension == 2 ? places_in_quadrilateral(order) : places_in_hexahedron(order))
    numbers.push_back(static_cast<std::size_t>(p[0]) +
                      n * (static_cast<std::size_t>(p[1]) + n * static_cast<std::size_t>(p[2])));
  return numbers;
}

}  // namespace tessera
