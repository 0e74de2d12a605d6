// SPDX-License-Identifier: MIT
#include "permeability/studies/sub_volumes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>

#include "base/errors.hpp"
#include "base/settings.hpp"

namespace tessera {
namespace {

/// A number of [0, below), the same for any standard library.
std::int64_t draw(std::mt19937_64& random, std::int64_t below) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
}

}  // namespace

std::vector<SubVolume> choose_sub_volumes(Int3 shape, std::int64_t edge, std::int64_t count,
                                          std::uint64_t seed,
                                          std::function<bool(SubVolume const&)> const& in_sample) {
  for (Axis const a : all_axes) {
    if (edge > shape[a])
      throw BadInput(fmt::format("{} {}: expected at most {}, as the image is {} x {} x {}",
                                 setting_name("edges"), edge, std::min({shape.x, shape.y, shape.z}),
                                 shape.x, shape.y, shape.z));
  }
  std::mt19937_64 random(seed);
  Int3 const cells{shape.x / edge, shape.y / edge, shape.z / edge};
  Int3 first;
  for (Axis const a : all_axes) first[a] = (shape[a] - cells[a] * edge) / 2;
  std::vector<std::int64_t> order(static_cast<std::size_t>(volume(cells)));
  std::iota(order.begin(), order.end(), 0);
  for (auto i = static_cast<std::int64_t>(order.size()) - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(draw(random, i + 1))]);
  std::vector<SubVolume> chosen;
  for (std::int64_t const cell : order) {
    if (static_cast<std::int64_t>(chosen.size()) == count) break;
    Int3 const at{cell % cells.x, cell / cells.x % cells.y, cell / cells.x / cells.y};
    SubVolume const cube{first + Int3{at.x * edge, at.y * edge, at.z * edge}, edge};
    if (in_sample(cube)) chosen.push_back(cube);
  }
  // A cube as large as the image is one only.
  bool const can_move = shape.x > edge || shape.y > edge || shape.z > edge;
  constexpr int most_in_vain = 1000;
  int in_vain = 0;
  while (can_move && static_cast<std::int64_t>(chosen.size()) < count && in_vain < most_in_vain) {
    SubVolume cube{.edge = edge};
    for (Axis const a : all_axes) cube.lower[a] = draw(random, shape[a] - edge + 1);
    ++in_vain;
    if (!in_sample(cube)) continue;
    chosen.push_back(cube);
    in_vain = 0;
  }
  return chosen;
}

Geometry cut_out(Geometry const& image, SubVolume const& where) {
  std::int64_t const edge = where.edge;
  Geometry part{.shape = {edge, edge, edge}, .pore = {}, .of_grey = image.of_grey};
  part.pore.reserve(static_cast<std::size_t>(edge * edge * edge));
  for (std::int64_t z = 0; z < edge; ++z) {
    for (std::int64_t y = 0; y < edge; ++y) {
      auto const row = image.pore.begin() + static_cast<std::ptrdiff_t>(linear_index(
                                                image.shape, where.lower + Int3{0, y, z}));
      part.pore.insert(part.pore.end(), row, row + edge);
    }
  }
  return part;
}

}  // namespace tessera
