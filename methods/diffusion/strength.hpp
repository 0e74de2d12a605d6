// SPDX-License-Identifier: MIT
// Which voxels of a box of 2 x 2 x 2 are an aggregate: those that conduct to each other about as
// well as to anything else. An island that conducts well, in what conducts badly, has a potential
// of its own; an aggregate that held voxels of two of them would tie both to one on all coarse
// levels, so they would settle by as many iterations as conductivities differ by.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "methods/diffusion/equation.hpp"
#include "methods/steady/places.hpp"

namespace tessera::steady::diffusion {

/// The conductivity of a voxel (linear_index).
struct OfVoxels {
  double const* of_label = nullptr;
  std::uint8_t const* labels = nullptr;  ///< nullptr: `values` has them
  double const* values = nullptr;
  TESSERA_HOST_DEVICE double operator()(std::int64_t voxel) const {
    return labels != nullptr ? of_label[labels[voxel]] : values[voxel];
  }
};

/// Divides a box (methods/steady/places.hpp) along weak faces: those that conduct less than a
/// share of the best face of either of their voxels.
struct DividedByStrength {
  static constexpr double share = 0.05;

  Grid grid{};
  OfVoxels of_voxels;
  double factor[3] = {1, 1, 1};  ///< as Edges has it
  bool is_uniform = false;       ///< no face is weak

  template <class Visit>
  TESSERA_HOST_DEVICE void operator()(std::int32_t place, unsigned mask, Visit const& visit) const {
    if (is_uniform || mask == 0) {
      for_each_part<Equation::links>(mask, visit);
      return;
    }
    Voxel const corner = grid.corner(place);
    double conducts[8];
    double best[8];
    for (int e = 0; e < 8; ++e) {
      if ((mask >> e & 1U) == 0) continue;
      Voxel const at{corner.x + (e & 1), corner.y + (e >> 1 & 1), corner.z + (e >> 2)};
      conducts[e] = of_voxels(grid.linear(at));
      best[e] = best_face(at, conducts[e]);
    }
    for (unsigned rest = mask; rest != 0;) {
      unsigned const part = part_around(rest, conducts, best);
      visit(part);
      rest ^= part;
    }
  }

 private:
  TESSERA_HOST_DEVICE double best_face(Voxel at, double own) const {
    double best = 0;
    for (int q = 1; q <= Equation::links; ++q) {
      Voxel other = at;
      if (!grid.follow(other, q)) continue;
      double const there = of_voxels(grid.linear(other));
      double const face = there > 0 ? factor[along(q)] * between(own, there) : 0.0;
      best = face > best ? face : best;
    }
    return best;
  }
  /// The part of the first voxel of `rest`.
  TESSERA_HOST_DEVICE unsigned part_around(unsigned rest, double const* conducts,
                                           double const* best) const {
    unsigned part = rest & (0U - rest);
    for (unsigned before = 0; before != part;) {
      before = part;
      for (int e = 0; e < 8; ++e) {
        for (int axis = 0; axis < 3; ++axis) {
          int const other = e ^ (1 << axis);
          if ((part >> e & 1U) == 0 || ((rest & ~part) >> other & 1U) == 0) continue;
          double const face = factor[axis] * between(conducts[e], conducts[other]);
          if (face >= share * best[e] && face >= share * best[other]) part |= 1U << other;
        }
      }
    }
    return part;
  }
};

}  // namespace tessera::steady::diffusion
