// SPDX-License-Identifier: MIT
// The node updates that kernels are compiled for, as types, and the one that a FlowModel selects.
//
// A model is a type with
//   Lattice                          its velocity set
//   Parameters<Scalar>               what a kernel passes to the node update, of a precision
//   model                            the model as a FlowModel
//   narrow<Scalar>(FlowParameters)   these parameters
//   collide(f, parameters)           the node update
#pragma once

#include <cstddef>
#include <vector>

#include "models/lattice/collision.hpp"
#include "models/lattice/flow_model.hpp"
#include "models/lattice/operators.hpp"

namespace tessera {

/// A node update composed of its parts (models/lattice/collide.hpp).
template <VelocitySet L, class Operator, EquilibriumForm form>
struct Model {
  using Lattice = L;
  template <class Scalar>
  using Parameters = NodeParameters<Operator, Scalar>;

  static constexpr FlowModel model{kind_of<L>, Operator::kind, form, has_smagorinsky<Operator>};
  template <class Scalar>
  TESSERA_HOST_DEVICE static constexpr Parameters<Scalar> narrow(FlowParameters const& p) {
    return {Operator::template rates<Scalar>(p),
            {static_cast<Scalar>(p.force[0]), static_cast<Scalar>(p.force[1]),
             static_cast<Scalar>(p.force[2])}};
  }
  template <class Real, class Scalar>
  TESSERA_HOST_DEVICE static constexpr void collide(Real (&f)[L::size],
                                                    Parameters<Scalar> const& parameters) {
    tessera::collide<L, Operator, form>(f, parameters);
  }
};

/// D3Q19 with one or two rates, written out (models/lattice/collision.hpp): the model of flow
/// through rock.
template <EquilibriumForm form>
struct TwoRatesModel {
  using Lattice = D3Q19;
  template <class Scalar>
  using Parameters = CollisionParameters<Scalar>;

  static constexpr FlowModel model{LatticeKind::d3q19, CollisionOperator::trt, form};
  template <class Scalar>
  TESSERA_HOST_DEVICE static constexpr Parameters<Scalar> narrow(FlowParameters const& p) {
    return two_rates<Scalar>(p);
  }
  template <class Real, class Scalar>
  TESSERA_HOST_DEVICE static void collide(Real (&f)[19], CollisionParameters<Scalar> const& p) {
    tessera::collide<form>(f, p);
  }
};

/// The model of D3Q19 with one or two rates: the one written out, or Model<D3Q19, Trt, form>, which
/// differs only in the last bits (and is slower on cores: docs/performance.md).
template <EquilibriumForm form>
using TwoRatesOnD3Q19 = TwoRatesModel<form>;

/// A list of models as types.
template <class... Models>
struct ModelList {
  static constexpr std::size_t size = sizeof...(Models);

  static std::vector<FlowModel> all() { return {Models::model...}; }

  /// Place of the type for a model in the list; `size` if there is none.
  static constexpr std::size_t index_of(FlowModel model) {
    if (model.collision == CollisionOperator::bgk) model.collision = CollisionOperator::trt;
    std::size_t index = 0;
    (void)((Models::model == model || (++index, false)) || ...);
    return index;
  }
};

namespace models {
inline constexpr auto linear = EquilibriumForm::linear;
inline constexpr auto second = EquilibriumForm::second_order;
inline constexpr auto product = EquilibriumForm::product;
using MrtPlain = Mrt<Orthogonality::plain>;
using MrtWeighted = Mrt<Orthogonality::weighted>;
}  // namespace models

/// The models of a velocity set for which there are kernels.
template <VelocitySet Lattice>
struct ModelsOn;
template <>
struct ModelsOn<D2Q9> {
  using Models = ModelList<
      Model<D2Q9, Trt, models::linear>, Model<D2Q9, Trt, models::second>,
      Model<D2Q9, models::MrtPlain, models::linear>, Model<D2Q9, models::MrtPlain, models::second>,
      Model<D2Q9, models::MrtWeighted, models::second>, Model<D2Q9, Regularised, models::second>,
      Model<D2Q9, CentralMoments, models::product>,
      Model<D2Q9, Smagorinsky<models::MrtPlain>, models::second>>;
};
template <>
struct ModelsOn<D3Q13> {
  using Models = ModelList<Model<D3Q13, models::MrtPlain, models::linear>,
                           Model<D3Q13, models::MrtPlain, models::second>>;
};
template <>
struct ModelsOn<D3Q15> {
  using Models = ModelList<Model<D3Q15, Trt, models::linear>, Model<D3Q15, Trt, models::second>,
                           Model<D3Q15, models::MrtPlain, models::linear>,
                           Model<D3Q15, models::MrtPlain, models::second>,
                           Model<D3Q15, models::MrtWeighted, models::second>,
                           Model<D3Q15, Regularised, models::second>>;
};
template <>
struct ModelsOn<D3Q19> {
  using Models = ModelList<TwoRatesOnD3Q19<models::linear>, TwoRatesOnD3Q19<models::second>,
                           Model<D3Q19, models::MrtPlain, models::linear>,
                           Model<D3Q19, models::MrtPlain, models::second>,
                           Model<D3Q19, models::MrtWeighted, models::second>,
                           Model<D3Q19, Regularised, models::second>,
                           Model<D3Q19, Smagorinsky<Trt>, models::second>,
                           Model<D3Q19, Smagorinsky<models::MrtPlain>, models::second>>;
};
template <>
struct ModelsOn<D3Q27> {
  using Models = ModelList<
      Model<D3Q27, Trt, models::linear>, Model<D3Q27, Trt, models::second>,
      Model<D3Q27, models::MrtWeighted, models::second>, Model<D3Q27, Regularised, models::second>,
      Model<D3Q27, CentralMoments, models::product>, Model<D3Q27, Cumulants, models::product>,
      Model<D3Q27, Smagorinsky<Cumulants>, models::product>>;
};

}  // namespace tessera
