// SPDX-License-Identifier: MIT
// What links between nodes let through: all, or, where voxels are grey, a part.
//
// A grey voxel is a porous medium of permeability k that the image does not resolve
// (models/lattice/grey_medium.hpp). The shares that links pass are alike in both directions, so M
// stays symmetric, and for k without bound, t = 1, the pores are open. What drags, nu u / k, acts
// beside the stress of a fluid: Brinkman's equation.
#pragma once

#include <cstdint>

#include "methods/steady/node_set.hpp"
#include "methods/stokes/modes.hpp"
#include "models/lattice/grey_medium.hpp"

namespace tessera::steady::stokes {

/// No voxel is grey.
struct OpenPores {
  Links links;

  /// The odd half that comes along a link, seen from its other end: that of the node there, or the
  /// own one, reversed by a wall.
  template <class T, class At, class Value>
  TESSERA_HOST_DEVICE Value carried(int /*q*/, At /*at*/, LinkEnds<At> const& ends, Value other,
                                    Value /*own*/) const {
    return negative_if(ends.wall, other);
  }
  /// A difference of densities, as far as the link carries it.
  template <class T, class At, class Value>
  TESSERA_HOST_DEVICE Value passed(int /*q*/, At /*at*/, LinkEnds<At> const& /*ends*/,
                                   Value difference) const {
    return difference;
  }
  /// What a link of weight w has in a velocity's row: of the velocity at its other end ...
  template <class T, class At>
  TESSERA_HOST_DEVICE ValueAt<T, At> brought(int /*q*/, At /*at*/, LinkEnds<At> const& ends,
                                             T w) const {
    return negative_if(ends.wall, ValueAt<T, At>{} + w);
  }
  /// ... and, with the other sign, of the own one.
  template <class T, class At>
  TESSERA_HOST_DEVICE T taken(int /*q*/, At /*at*/, LinkEnds<At> const& /*ends*/, T w) const {
    return w;
  }
  /// 1 / k of a node.
  template <class At>
  TESSERA_HOST_DEVICE ValueAt<float, At> inverse_permeability(At /*at*/) const {
    return ValueAt<float, At>{};
  }
};

/// Some voxels are grey.
struct GreyPores {
  Links links;
  float const* resistance = nullptr;  ///< nu / k of nodes; 0 where they are open
  /// grey_medium::straight_factor() of the links of nodes along +x, +y, +z: an array for each axis.
  float const* straight = nullptr;
  std::int64_t slots = 0;

  /// What a grey link reflects acts on the momentum thrice as much as the walls of -nu lap.
  static constexpr double reflection = 6;

  /// The share that link q passes; 0 at walls.
  template <class T>
  TESSERA_HOST_DEVICE T passing(int q, std::int64_t at, LinkEnds<std::int64_t> const& ends) const {
    T const there = static_cast<T>(resistance[ends.node]);
    T const t = ends.wall ? T{0} : grey_medium::passing(static_cast<T>(resistance[at]), there);
    return q > 6 ? t : static_cast<T>(along(q)[q % 2 == 1 ? at : ends.node]) * t;
  }
#ifndef __CUDACC__
  template <class T>
  TESSERA_HOST_DEVICE FloatGroup passing(int q, NodeGroup at,
                                         LinkEnds<NodeGroup> const& ends) const {
    FloatGroup const both = load(resistance, at) + ends.of(resistance);
    FloatGroup const t = chosen(ends.wall, FloatGroup{}, 4.0F / (4.0F + both));
    if (q > 6) return t;
    return (q % 2 == 1 ? load(along(q), at) : ends.of(along(q))) * t;
  }
#endif
  template <class T, class At, class Value>
  TESSERA_HOST_DEVICE Value carried(int q, At at, LinkEnds<At> const& ends, Value other,
                                    Value own) const {
    return passing<T>(q, at, ends) * (other + own) - own;
  }
  template <class T, class At, class Value>
  TESSERA_HOST_DEVICE Value passed(int q, At at, LinkEnds<At> const& ends, Value difference) const {
    return passing<T>(q, at, ends) * difference;
  }
  template <class T, class At>
  TESSERA_HOST_DEVICE ValueAt<T, At> brought(int q, At at, LinkEnds<At> const& ends, T w) const {
    return w * passing<T>(q, at, ends);
  }
  template <class T, class At>
  TESSERA_HOST_DEVICE ValueAt<T, At> taken(int q, At at, LinkEnds<At> const& ends, T w) const {
    using Value = ValueAt<T, At>;
    auto const t = passing<T>(q, at, ends);
    auto const of_grey = static_cast<T>(reflection);
    return w * (t + chosen(ends.wall, Value{} + T{2}, Value{} + of_grey) * (T{1} - t));
  }
  template <class At>
  TESSERA_HOST_DEVICE ValueAt<float, At> inverse_permeability(At at) const {
    return 6.0F * load(resistance, at);
  }

 private:
  /// The factors of link q = 1 ... 6 and its opposite.
  TESSERA_HOST_DEVICE float const* along(int q) const { return straight + (q - 1) / 2 * slots; }
};

}  // namespace tessera::steady::stokes
