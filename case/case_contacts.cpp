// SPDX-License-Identifier: MIT
#include "case/case_contacts.hpp"

#include <cstddef>
#include <optional>

namespace tessera {
namespace {

class Contacts {
 public:
  Contacts(Geometry const& geometry, Boundaries const& boundaries, LatticeKind lattice)
      : geometry_(geometry),
        boundaries_(boundaries),
        velocities_(velocities_of(lattice)),
        found_(boundaries.conditions.size()) {}

  std::vector<bool> find() {
    for (Axis a : all_axes) {
      look_beside_face(a, 0);
      look_beside_face(a, geometry_.shape[a] - 1);
    }
    look_beside_solids();
    return std::move(found_);
  }

 private:
  Int3 velocity(int q) const {
    auto const& c = velocities_.c[static_cast<std::size_t>(q)];
    return {c[0], c[1], c[2]};
  }

  /// Nothing outside of the box.
  std::optional<Int3> within_box(Int3 at) const {
    for (Axis a : all_axes) {
      std::int64_t const n = geometry_.shape[a];
      if (geometry_.periodic[index_of(a)]) at[a] = (at[a] + n) % n;
      if (at[a] < 0 || at[a] >= n) return std::nullopt;
    }
    return at;
  }

  void look_beside_face(Axis axis, std::int64_t layer) {
    Int3 first, end = geometry_.shape;
    first[axis] = layer;
    end[axis] = layer + 1;
    for (Int3 at = first; at.z < end.z; ++at.z) {
      for (at.y = first.y; at.y < end.y; ++at.y) {
        for (at.x = first.x; at.x < end.x; ++at.x) {
          if (!geometry_.is_pore(at)) continue;
          for (int q = 1; q < velocities_.size; ++q) {
            if (!within_box(at + velocity(q)))
              found_[boundaries_.condition_at(at, velocity(q))] = true;
          }
        }
      }
    }
  }

  void look_beside_solids() {
    if (boundaries_.of_voxel.empty()) return;
    Int3 const shape = geometry_.shape;
    for (Int3 at; at.z < shape.z; ++at.z) {
      for (at.y = 0; at.y < shape.y; ++at.y) {
        for (at.x = 0; at.x < shape.x; ++at.x) {
          std::uint8_t const number = boundaries_.of_voxel[linear_index(shape, at)];
          if (!found_[number] && !geometry_.is_pore(at)) found_[number] = touches_pore(at);
        }
      }
    }
  }

  bool touches_pore(Int3 solid) const {
    for (int q = 1; q < velocities_.size; ++q) {
      auto const beside = within_box(solid + velocity(q));
      if (beside && geometry_.is_pore(*beside)) return true;
    }
    return false;
  }

  Geometry const& geometry_;
  Boundaries const& boundaries_;
  Velocities velocities_;
  std::vector<bool> found_;
};

}  // namespace

std::vector<bool> conditions_with_links(Geometry const& geometry, Boundaries const& boundaries,
                                        LatticeKind lattice) {
  return Contacts(geometry, boundaries, lattice).find();
}

}  // namespace tessera
