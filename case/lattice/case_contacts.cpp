// SPDX-License-Identifier: MIT
#include "case/lattice/case_contacts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/ranks/ranks.hpp"
#include "models/lattice/lattice_kind.hpp"

namespace tessera {
namespace {

class Contacts {
 public:
  Contacts(BlockGrid const& grid, LayerRange layers, Boundaries const& boundaries)
      : grid_(grid),
        layers_(layers),
        boundaries_(boundaries),
        velocities_(velocities_of(grid.lattice())),
        found_(boundaries.conditions.size()) {}

  std::vector<bool> find() {
    for (Axis a : all_axes) {
      look_beside_face(a, 0);
      look_beside_face(a, boundaries_.shape[a] - 1);
    }
    look_beside_solids();
    Ranks::sum(found_);
    return {found_.begin(), found_.end()};
  }

 private:
  Int3 velocity(int q) const {
    auto const& c = velocities_.c[static_cast<std::size_t>(q)];
    return {c[0], c[1], c[2]};
  }

  /// Nothing outside of the box.
  std::optional<Int3> within_box(Int3 at) const {
    for (Axis a : all_axes) {
      std::int64_t const n = boundaries_.shape[a];
      if (boundaries_.periodic[index_of(a)]) at[a] = (at[a] + n) % n;
      if (at[a] < 0 || at[a] >= n) return std::nullopt;
    }
    return at;
  }

  void look_beside_face(Axis axis, std::int64_t layer) {
    Int3 first{0, 0, layers_.lower};
    Int3 end{boundaries_.shape.x, boundaries_.shape.y, layers_.upper};
    first[axis] = std::max(first[axis], layer);
    end[axis] = std::min(end[axis], layer + 1);
    for (Int3 at = first; at.z < end.z; ++at.z) {
      for (at.y = first.y; at.y < end.y; ++at.y) {
        for (at.x = first.x; at.x < end.x; ++at.x) {
          if (!grid_.is_fluid(at)) continue;
          for (int q = 1; q < velocities_.size; ++q) {
            if (!within_box(at + velocity(q)))
              found_[boundaries_.condition_at(at, velocity(q))] = 1;
          }
        }
      }
    }
  }

  void look_beside_solids() {
    if (boundaries_.of_voxel.empty()) return;
    Int3 const shape = boundaries_.shape;
    for (Int3 at{0, 0, layers_.lower}; at.z < layers_.upper; ++at.z) {
      for (at.y = 0; at.y < shape.y; ++at.y) {
        for (at.x = 0; at.x < shape.x; ++at.x) {
          std::uint8_t const number = boundaries_.of_voxel.at(at);
          if (found_[number] == 0 && !grid_.is_fluid(at)) found_[number] = touches_pore(at) ? 1 : 0;
        }
      }
    }
  }

  bool touches_pore(Int3 solid) const {
    for (int q = 1; q < velocities_.size; ++q) {
      auto const beside = within_box(solid + velocity(q));
      if (beside && grid_.is_fluid(*beside)) return true;
    }
    return false;
  }

  BlockGrid const& grid_;
  LayerRange layers_;
  Boundaries const& boundaries_;
  Velocities velocities_;
  std::vector<std::int64_t> found_;  ///< by condition; not 0: it is met
};

}  // namespace

std::vector<bool> conditions_with_links(BlockGrid const& grid, LayerRange layers,
                                        Boundaries const& boundaries) {
  return Contacts(grid, layers, boundaries).find();
}

}  // namespace tessera
