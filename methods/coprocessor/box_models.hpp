// SPDX-License-Identifier: MIT
// The node updates for boxes of another program's lattice: two relaxation times (BGK where they
// agree) on the sets that lattice Boltzmann programs have in common.
#pragma once

#include "models/lattice/models.hpp"

namespace tessera {

template <VelocitySet Lattice, EquilibriumForm form>
struct BoxModelOf {
  using Type = Model<Lattice, Trt, form>;
};
template <EquilibriumForm form>
struct BoxModelOf<D3Q19, form> {
  using Type = TwoRatesOnD3Q19<form>;
};
template <VelocitySet Lattice, EquilibriumForm form>
using BoxModel = typename BoxModelOf<Lattice, form>::Type;

/// The node update of a box, chosen while the program runs.
struct BoxMethod {
  LatticeKind lattice = LatticeKind::d3q19;  ///< D2Q9, D3Q19 or D3Q27
  bool linear = false;                       ///< equilibrium: linear, else of second order
  bool wide = true;                          ///< double precision
  FlowParameters parameters;
};

/// Calls work.template operator()<Model>() with the model of a method.
template <class Work>
decltype(auto) with_box_model(BoxMethod const& method, Work&& work) {
  auto const with = [&]<class Lattice>() {
    return method.linear
               ? work.template operator()<BoxModel<Lattice, EquilibriumForm::linear>>()
               : work.template operator()<BoxModel<Lattice, EquilibriumForm::second_order>>();
  };
  if (method.lattice == LatticeKind::d2q9) return with.template operator()<D2Q9>();
  if (method.lattice == LatticeKind::d3q27) return with.template operator()<D3Q27>();
  return with.template operator()<D3Q19>();
}

/// Calls `work` with the model and the type of its populations.
template <class Work>
decltype(auto) with_box_types(BoxMethod const& method, Work&& work) {
  return with_box_model(method, [&]<class Model>() {
    return method.wide ? work.template operator()<Model, double>()
                       : work.template operator()<Model, float>();
  });
}

}  // namespace tessera
