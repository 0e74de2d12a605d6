// SPDX-License-Identifier: MIT
// Union-find in a periodic box, which also counts how often the path between two members winds
// around each axis.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tessera {

/// Turns around the box along x, y, z.
using Winding = std::array<std::int32_t, 3>;

class WindingForest {
 public:
  explicit WindingForest(std::size_t size)
      : parent_(size), winding_(size, Winding{}), wraps_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  /// Root of i. Afterwards the parent of i is its root.
  std::size_t find(std::size_t i) {
    // Up to the root, then down again, adding up the windings of the path.
    std::vector<std::size_t>& way = way_;
    way.clear();
    while (parent_[i] != i) {
      way.push_back(i);
      i = parent_[i];
    }
    Winding sum{};
    for (std::size_t n = way.size(); n > 0; --n) {
      std::size_t const at = way[n - 1];
      for (std::size_t a = 0; a < 3; ++a) sum[a] += winding_[at][a];
      winding_[at] = sum;
      parent_[at] = i;
    }
    return i;
  }

  /// Unites a and b, which touch, b lying `step` turns further than a. Two paths of different
  /// winding between the same two members make a component that reaches its own image (Newman &
  /// Ziff, Phys. Rev. E 64 (2001) 016706, section II.D).
  void unite(std::size_t a, std::size_t b, Winding step) {
    std::size_t const root_a = find(a);
    std::size_t const root_b = find(b);
    for (std::size_t k = 0; k < 3; ++k) step[k] += winding_[a][k] - winding_[b][k];
    if (root_a == root_b) {
      for (std::size_t k = 0; k < 3; ++k) wraps_[root_a][k] = wraps_[root_a][k] || step[k] != 0;
      return;
    }
    parent_[root_b] = root_a;
    winding_[root_b] = step;
    for (std::size_t k = 0; k < 3; ++k) wraps_[root_a][k] = wraps_[root_a][k] || wraps_[root_b][k];
  }

  /// Winding of i from its root, valid right after find(i).
  Winding const& winding(std::size_t i) const { return winding_[i]; }

  std::array<bool, 3> const& wraps(std::size_t root) const { return wraps_[root]; }

 private:
  std::vector<std::size_t> parent_;
  std::vector<Winding> winding_;  ///< from the parent
  std::vector<std::array<bool, 3>> wraps_;
  std::vector<std::size_t> way_;
};

}  // namespace tessera
