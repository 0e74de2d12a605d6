// SPDX-License-Identifier: MIT
#include "case/spectral/mesh_of_msh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/errors.hpp"

namespace tessera {
namespace {

using spectral::Face;
using spectral::Mesh;
using spectral::Point;

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

class Conversion {
 public:
  Conversion(MshMesh const& msh, std::string const& file) : msh_(msh), file_(file) {
    mesh_.dimension = msh.dimension;
    mesh_.map_degree = msh.order;
  }

  Mesh mesh(std::function<int(Point const&)> const& degree) {
    for (std::size_t c = 0; c < msh_.cell_count(); ++c) add_element(c, degree);
    try {
      connect(mesh_, vertices_);
      connect_periodic_sides();
    } catch (BadInput const& error) {
      throw BadInput(fmt::format("{}: {}", file_, error.what()));
    }
    name_sides();
    return std::move(mesh_);
  }

 private:
  Point const& node(std::int32_t number) const { return msh_.nodes[index(number)]; }

  void add_element(std::size_t cell, std::function<int(Point const&)> const& degree) {
    std::size_t const count = msh_.nodes_per_cell();
    std::vector<std::int32_t> nodes(
        msh_.cells.begin() + static_cast<std::ptrdiff_t>(cell * count),
        msh_.cells.begin() + static_cast<std::ptrdiff_t>((cell + 1) * count));
    if (is_left_handed(nodes)) swap_axes(nodes);
    Point middle{};
    for (std::int32_t const corner : corners_of(nodes)) {
      vertices_.push_back(corner);
      for (std::size_t a = 0; a < 3; ++a)
        middle[a] += node(corner)[a] / (mesh_.dimension == 2 ? 4 : 8);
    }
    for (std::int32_t const number : nodes) mesh_.nodes.push_back(node(number));
    mesh_.degree.push_back(static_cast<std::uint8_t>(degree(middle)));
  }

  /// The node at the ends of the axes, 0 or 1 each.
  std::int32_t corner(std::vector<std::int32_t> const& nodes, std::size_t i, std::size_t j,
                      std::size_t k) const {
    auto const n = static_cast<std::size_t>(msh_.order);
    return nodes[n * (i + (n + 1) * (j + (n + 1) * k))];
  }

  std::vector<std::int32_t> corners_of(std::vector<std::int32_t> const& nodes) const {
    std::size_t const count = mesh_.dimension == 2 ? 4 : 8;
    std::vector<std::int32_t> corners;
    corners.reserve(count);
    for (std::size_t v = 0; v < count; ++v)
      corners.push_back(corner(nodes, v & 1U, v >> 1U & 1U, v >> 2U & 1U));
    return corners;
  }

  /// By the edges at its first corner; an element that is not one thing is refused later.
  bool is_left_handed(std::vector<std::int32_t> const& nodes) const {
    Point const& o = node(corner(nodes, 0, 0, 0));
    auto const edge = [&](std::int32_t to) {
      return Point{node(to)[0] - o[0], node(to)[1] - o[1], node(to)[2] - o[2]};
    };
    Point const x = edge(corner(nodes, 1, 0, 0));
    Point const y = edge(corner(nodes, 0, 1, 0));
    Point const z = mesh_.dimension == 2 ? Point{0, 0, 1} : edge(corner(nodes, 0, 0, 1));
    return z[0] * (x[1] * y[2] - x[2] * y[1]) + z[1] * (x[2] * y[0] - x[0] * y[2]) +
               z[2] * (x[0] * y[1] - x[1] * y[0]) <
           0;
  }

  void swap_axes(std::vector<std::int32_t>& nodes) const {
    auto const n = static_cast<std::size_t>(msh_.order) + 1;
    for (std::size_t layer = 0; layer < nodes.size(); layer += n * n) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < j; ++i)
          std::swap(nodes[layer + i + n * j], nodes[layer + j + n * i]);
      }
    }
  }

  void connect_periodic_sides() {
    for (MshMesh::Images const& images : msh_.periodic) {
      std::map<std::int32_t, std::int32_t> const image_of(images.begin(), images.end());
      connect_periodic(mesh_, vertices_, [&](std::int32_t vertex) {
        auto const found = image_of.find(vertex);
        return found == image_of.end() ? -1 : found->second;
      });
    }
  }

  void name_sides() {
    std::size_t const corners = msh_.nodes_per_side();
    std::map<std::vector<std::int32_t>, std::int32_t> group_of;
    for (std::size_t s = 0; s < msh_.group_of_side.size(); ++s) {
      std::vector<std::int32_t> side(
          msh_.sides.begin() + static_cast<std::ptrdiff_t>(s * corners),
          msh_.sides.begin() + static_cast<std::ptrdiff_t>((s + 1) * corners));
      std::ranges::sort(side);
      group_of.emplace(std::move(side), msh_.group_of_side[s]);
    }
    std::map<std::int32_t, std::int16_t> boundary_of_group;
    std::size_t const per_element = vertices_.size() / mesh_.elements();
    for (std::size_t e = 0; e < mesh_.elements(); ++e) {
      for (std::size_t s = 0; s < mesh_.sides(); ++s) {
        Face& face = mesh_.face(e, s);
        if (face.neighbour >= 0) continue;
        auto side = spectral::vertices_of_side(
            mesh_.dimension, std::span(vertices_).subspan(e * per_element, per_element),
            static_cast<int>(s));
        std::ranges::sort(side);
        auto const group = group_of.find(side);
        if (group == group_of.end()) refuse_side(side);
        auto const [boundary, is_new] = boundary_of_group.emplace(
            group->second, static_cast<std::int16_t>(mesh_.boundaries.size()));
        if (is_new) mesh_.boundaries.push_back(msh_.groups[index(group->second)]);
        face.boundary = boundary->second;
      }
    }
  }

  [[noreturn]] void refuse_side(std::vector<std::int32_t> const& side) const {
    Point const& at = node(side.front());
    throw BadInput(
        fmt::format("{}: the side at ({:.6g}, {:.6g}, {:.6g}) has no neighbour and is in no "
                    "physical group: expected every outer side in one, or periodic",
                    file_, at[0], at[1], at[2]));
  }

  MshMesh const& msh_;
  std::string const& file_;
  Mesh mesh_;
  spectral::Vertices vertices_;
};

}  // namespace

spectral::Mesh mesh_of(MshMesh const& msh, std::function<int(Point const&)> const& degree,
                       std::string const& file) {
  return Conversion(msh, file).mesh(degree);
}

}  // namespace tessera
