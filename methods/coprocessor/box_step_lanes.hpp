// SPDX-License-Identifier: MIT
// One step of a slab of a box on a core, a SIMD vector at a time. Included by one file for each
// instruction set, which supplies the vectors (listed in
// codelets/lattice/collide_stream_kernel.hpp).
#pragma once

#include <cstdint>

#include "methods/coprocessor/box_models.hpp"
#include "methods/coprocessor/box_steps.hpp"

namespace tessera {

/// Rows of cells that are computed; what vectors write behind their ends is margin or nothing.
template <class Model, class Lanes, class Real>
void step_slab(BoxView<Real const> const& old, BoxView<Real> const& next, std::int32_t slab,
               FlowParameters const& wide_parameters) {
  using Lattice = typename Model::Lattice;
  using Vector = typename Lanes::Vector;
  auto const parameters = Model::template narrow<Real>(wide_parameters);
  BoxShape const& shape = old.shape;
  std::int32_t const first = slab * shape.planes;
  std::int32_t const behind = first + shape.planes;
  std::int32_t const last = shape.size[2] - shape.margin[2];
  std::int32_t const cells = shape.size[0] - 2;
  for (std::int32_t z = first < shape.margin[2] ? shape.margin[2] : first;
       z < (behind < last ? behind : last); ++z) {
    for (std::int32_t y = 1; y < shape.size[1] - 1; ++y) {
      Real const* from[Lattice::size];
      Real* to[Lattice::size];
#pragma GCC unroll 27
      for (int q = 0; q < Lattice::size; ++q) {
        from[q] = old.row(q, y - Lattice::y(q), z - Lattice::z(q)) + 1 - Lattice::x(q);
        to[q] = next.row(q, y, z) + 1;
      }
      for (std::int32_t x = 0; x < cells; x += static_cast<std::int32_t>(Lanes::count)) {
        Vector f[Lattice::size];
#pragma GCC unroll 27
        for (int q = 0; q < Lattice::size; ++q) f[q] = Lanes::load(from[q] + x);
        auto const own = parameters;  // a copy that no store can alias
        Model::collide(f, own);
#pragma GCC unroll 27
        for (int q = 0; q < Lattice::size; ++q) Lanes::store(to[q] + x, f[q]);
      }
    }
  }
}

template <class FloatLanes, class DoubleLanes>
void step_slab_with(BoxMethod const& method, BoxPointers const& old, BoxPointers const& next,
                    BoxShape const& shape, std::int32_t slab) {
  with_box_types(method, [&]<class Model, class Real>() {
    using Lanes = std::conditional_t<std::is_same_v<Real, double>, DoubleLanes, FloatLanes>;
    step_slab<Model, Lanes>(view_of<Real const>(shape, old), view_of<Real>(shape, next), slab,
                            method.parameters);
  });
}

}  // namespace tessera
