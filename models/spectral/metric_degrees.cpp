// SPDX-License-Identifier: MIT
#include "models/spectral/metric_degrees.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace tessera::spectral {
namespace {

class CurvedParts {
 public:
  explicit CurvedParts(Mesh const& mesh) : mesh_(mesh), seen_(mesh.elements()) {}

  std::vector<std::uint8_t> degrees() {
    std::vector<std::uint8_t> degrees = mesh_.degree;
    for (std::size_t e = 0; e < mesh_.elements(); ++e) {
      if (seen_[e]) continue;
      Part const part = part_of(e);
      if (!part.unlike || mesh_.map_degree <= part.least + most_above()) continue;
      for (std::size_t const of_part : part.elements) degrees[of_part] = part.least;
    }
    return degrees;
  }

  /// How far above the lower degree a map may be.
  int most_above() const { return mesh_.dimension == 2 ? 2 : 0; }

 private:
  struct Part {
    std::vector<std::size_t> elements;
    std::uint8_t least;
    bool unlike = false;  ///< degrees on the two sides of one that is curved
  };

  /// All that can be reached through curved sides.
  Part part_of(std::size_t first) {
    Part part{{first}, mesh_.degree[first]};
    seen_[first] = true;
    for (std::size_t i = 0; i < part.elements.size(); ++i) {
      std::size_t const e = part.elements[i];
      for (std::size_t side = 0; side < mesh_.sides(); ++side) {
        Face const& face = mesh_.face(e, side);
        if (face.neighbour < 0 || is_straight(e, side)) continue;
        auto const next = static_cast<std::size_t>(face.neighbour);
        part.unlike = part.unlike || mesh_.degree[next] != mesh_.degree[e];
        if (seen_[next]) continue;
        seen_[next] = true;
        part.least = std::min(part.least, mesh_.degree[next]);
        part.elements.push_back(next);
      }
    }
    return part;
  }

  /// Whether the map is linear on a side, as it is seen through its nodes.
  bool is_straight(std::size_t e, std::size_t side) const {
    std::span<Point const> const nodes = mesh_.nodes_of(e);
    auto const k = static_cast<std::size_t>(mesh_.map_degree);
    std::array<std::size_t, 3> const step{1, k + 1, (k + 1) * (k + 1)};
    std::size_t const axis = side / 2;
    std::size_t const corner = side % 2 * k * step[axis];
    std::size_t const one = step[axis == 0 ? 1 : 0];
    std::size_t const two = mesh_.dimension == 3 ? step[axis == 2 ? 1 : 2] : 0;
    std::size_t const rows = mesh_.dimension == 3 ? k : 0;
    for (std::size_t c = 0; c < 3; ++c) {
      double const from = nodes[corner][c];
      double const along_one = nodes[corner + k * one][c] - from;
      double const along_two = nodes[corner + k * two][c] - from;
      double const size = size_of(nodes);
      for (std::size_t b = 0; b <= rows; ++b) {
        for (std::size_t a = 0; a <= k; ++a) {
          double const place =
              from + (along_one * static_cast<double>(a) + along_two * static_cast<double>(b)) /
                         static_cast<double>(k);
          if (std::abs(nodes[corner + a * one + b * two][c] - place) > 1e-12 * size) return false;
        }
      }
    }
    return true;
  }

  static double size_of(std::span<Point const> nodes) {
    double size = 0;
    for (std::size_t c = 0; c < 3; ++c)
      size = std::max(size, std::abs(nodes.back()[c] - nodes.front()[c]));
    return size;
  }

  Mesh const& mesh_;
  std::vector<bool> seen_;
};

}  // namespace

std::vector<std::uint8_t> metric_degrees(Mesh const& mesh) {
  CurvedParts parts(mesh);
  bool const high_enough = std::ranges::all_of(mesh.degree, [&](std::uint8_t degree) {
    return mesh.map_degree <= degree + parts.most_above();
  });
  return high_enough ? mesh.degree : parts.degrees();
}

}  // namespace tessera::spectral
