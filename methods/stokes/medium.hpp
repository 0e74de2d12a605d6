// SPDX-License-Identifier: MIT
// What links between nodes let through: all, or, where voxels are grey, a part.
//
// A grey voxel is a porous medium of permeability k that the image does not resolve. A link then
// passes a share t of each of its two populations on and reflects the rest, as a wall half-way does
// with all of it. In a medium of one k the flow of a force F has the velocity
// t F / (2 (1 - t)) at relaxation time 1, which is Darcy's k F / nu where t = 2 / (2 + nu / k); of
// a link between two nodes nu / k is their mean, so layers in series have the harmonic mean of
// their k, exactly. The shares are alike in both directions, so M stays symmetric, and for k
// without bound, t = 1, the pores are open. What drags, nu u / k, acts beside the stress of a fluid
// of viscosity t nu: Brinkman's equation with that effective viscosity.
//
// Partial reflection: Dardis, McCloskey, Phys. Rev. E 57 (1998) 4834; Walsh, Burwinkle, Saar,
// Comput. Geosci. 35 (2009) 1186, at nodes. Brinkman, Appl. Sci. Res. A 1 (1949) 27.
#pragma once

#include <cstdint>

#include "methods/steady/node_set.hpp"
#include "methods/stokes/modes.hpp"

namespace tessera::steady::stokes {

/// No voxel is grey.
struct OpenPores {
  Links links;

  /// The odd half that comes along a link, seen from its other end: that of the node there, or the
  /// own one, reversed by a wall.
  template <class T, class At, class Value>
  TESSERA_HOST_DEVICE Value carried(At /*at*/, LinkEnds<At> const& ends, Value other,
                                    Value /*own*/) const {
    return negative_if(ends.wall, other);
  }
  /// A difference of densities, as far as the link carries it.
  template <class T, class At, class Value>
  TESSERA_HOST_DEVICE Value passed(At /*at*/, LinkEnds<At> const& /*ends*/,
                                   Value difference) const {
    return difference;
  }
  /// What a link of weight w has in a velocity's row: of the velocity at its other end ...
  template <class T, class At>
  TESSERA_HOST_DEVICE ValueAt<T, At> brought(At /*at*/, LinkEnds<At> const& ends, T w) const {
    return negative_if(ends.wall, ValueAt<T, At>{} + w);
  }
  /// ... and, with the other sign, of the own one.
  template <class T, class At>
  TESSERA_HOST_DEVICE T taken(At /*at*/, LinkEnds<At> const& /*ends*/, T w) const {
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

  /// What a grey link reflects acts on the momentum thrice as much as the walls of -nu lap.
  static constexpr double reflection = 6;

  /// t, 0 at walls.
  template <class T>
  TESSERA_HOST_DEVICE T passing(std::int64_t at, LinkEnds<std::int64_t> const& ends) const {
    T const both = static_cast<T>(resistance[at]) + static_cast<T>(resistance[ends.node]);
    return ends.wall ? T{0} : T{4} / (T{4} + both);
  }
#ifndef __CUDACC__
  template <class T>
  TESSERA_HOST_DEVICE FloatGroup passing(NodeGroup at, LinkEnds<NodeGroup> const& ends) const {
    FloatGroup const both = load(resistance, at) + ends.of(resistance);
    return chosen(ends.wall, FloatGroup{}, 4.0F / (4.0F + both));
  }
#endif
  template <class T, class At, class Value>
  TESSERA_HOST_DEVICE Value carried(At at, LinkEnds<At> const& ends, Value other, Value own) const {
    return passing<T>(at, ends) * (other + own) - own;
  }
  template <class T, class At, class Value>
  TESSERA_HOST_DEVICE Value passed(At at, LinkEnds<At> const& ends, Value difference) const {
    return passing<T>(at, ends) * difference;
  }
  template <class T, class At>
  TESSERA_HOST_DEVICE ValueAt<T, At> brought(At at, LinkEnds<At> const& ends, T w) const {
    return w * passing<T>(at, ends);
  }
  template <class T, class At>
  TESSERA_HOST_DEVICE ValueAt<T, At> taken(At at, LinkEnds<At> const& ends, T w) const {
    using Value = ValueAt<T, At>;
    auto const t = passing<T>(at, ends);
    auto const of_grey = static_cast<T>(reflection);
    return w * (t + chosen(ends.wall, Value{} + T{2}, Value{} + of_grey) * (T{1} - t));
  }
  template <class At>
  TESSERA_HOST_DEVICE ValueAt<float, At> inverse_permeability(At at) const {
    return 6.0F * load(resistance, at);
  }
};

}  // namespace tessera::steady::stokes
