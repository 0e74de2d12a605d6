// SPDX-License-Identifier: MIT
// Union-find in a periodic box, which also counts how often the path between two members winds
// around each axis.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <utility>
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

  /// Root of i. Afterwards the parent of i, and of all between, is the root.
  std::size_t find(std::size_t i) {
    Winding sum{};
    std::size_t root = i;
    for (; parent_[root] != root; root = parent_[root]) {
      for (std::size_t a = 0; a < 3; ++a) sum[a] += winding_[root][a];
    }
    // Once more up to the root, each with what is left of the windings of the path.
    while (parent_[i] != root) {
      std::size_t const above = std::exchange(parent_[i], root);
      Winding const step = std::exchange(winding_[i], sum);
      for (std::size_t a = 0; a < 3; ++a) sum[a] -= step[a];
      i = above;
    }
    return root;
  }

  /// Root of i, for threads that look at the same time.
  std::size_t root_of(std::size_t i) const {
    while (parent_[i] != i) i = parent_[i];
    return i;
  }

  /// Unites a and b, which touch, b lying `step` turns further than a. The root is the first member
  /// of the whole. Two paths of different winding between the same two members make a component
  /// that reaches its own image (Newman & Ziff, Phys. Rev. E 64 (2001) 016706, section II.D).
  /// Threads may unite at the same time what lies in different trees.
  void unite(std::size_t a, std::size_t b, Winding step) {
    std::size_t root_a = find(a);
    std::size_t root_b = find(b);
    for (std::size_t k = 0; k < 3; ++k) step[k] += winding_[a][k] - winding_[b][k];
    if (root_a == root_b) {
      for (std::size_t k = 0; k < 3; ++k) wraps_[root_a][k] = wraps_[root_a][k] || step[k] != 0;
      return;
    }
    if (root_a > root_b) {
      std::swap(root_a, root_b);
      for (std::int32_t& turns : step) turns = -turns;
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
};

}  // namespace tessera
