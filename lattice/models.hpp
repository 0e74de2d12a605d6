// SPDX-License-Identifier: MIT
// The node updates that kernels are compiled for, as types, and which of them a FlowModel is.
//
// A model is a type with
//   Lattice                          its velocity set
//   Parameters<Scalar>               what a kernel hands to the node update, of a precision
//   model                            what it computes, as a FlowModel
//   narrow<Scalar>(FlowParameters)   these parameters
//   collide(f, parameters)           the node update
#pragma once

#include <cstddef>
#include <vector>

#include "lattice/collision.hpp"
#include "lattice/flow_model.hpp"
#include "lattice/operators.hpp"

namespace tessera {

/// Rates of an operator from the parameters of all.
template <class Rates>
TESSERA_HOST_DEVICE constexpr Rates rates_from(FlowParameters const& p) {
  using Scalar = decltype(Rates::shear);
  auto const shear = static_cast<Scalar>(p.shear);
  auto const bulk = static_cast<Scalar>(p.bulk);
  auto const third = static_cast<Scalar>(p.third);
  if constexpr (requires { sizeof(Rates::laminar); }) {
    return {rates_from<decltype(Rates::laminar)>(p), shear,
            static_cast<Scalar>(p.smagorinsky_squared)};
  } else if constexpr (requires { sizeof(Rates::energy_flux); }) {
    return {shear,
            static_cast<Scalar>(p.normal),
            bulk,
            static_cast<Scalar>(p.energy_squared),
            static_cast<Scalar>(p.energy_flux),
            static_cast<Scalar>(p.fourth_stress),
            third};
  } else if constexpr (requires { sizeof(Rates::higher); }) {
    return {shear, bulk, third, static_cast<Scalar>(p.higher)};
  } else if constexpr (requires { sizeof(Rates::odd); }) {
    return {shear, static_cast<Scalar>(p.odd)};
  } else {
    return {shear};
  }
}

/// Which operator of a FlowModel a type is. BGK is TRT with equal rates.
template <class Operator>
inline constexpr CollisionOperator operator_of = CollisionOperator::trt;
template <>
inline constexpr CollisionOperator operator_of<Mrt<Orthogonality::plain>> = CollisionOperator::mrt;
template <>
inline constexpr CollisionOperator operator_of<Mrt<Orthogonality::weighted>> =
    CollisionOperator::mrt_weighted;
template <>
inline constexpr CollisionOperator operator_of<Regularised> = CollisionOperator::regularised;
template <>
inline constexpr CollisionOperator operator_of<CentralMoments> = CollisionOperator::central_moments;
template <>
inline constexpr CollisionOperator operator_of<Cumulants> = CollisionOperator::cumulants;
template <class Operator>
inline constexpr CollisionOperator operator_of<Smagorinsky<Operator>> = operator_of<Operator>;

template <class Operator>
inline constexpr bool has_smagorinsky = false;
template <class Operator>
inline constexpr bool has_smagorinsky<Smagorinsky<Operator>> = true;

/// Put together from its parts (lattice/collide.hpp).
template <VelocitySet L, class Operator, EquilibriumForm form>
struct Model {
  using Lattice = L;
  template <class Scalar>
  using Parameters = NodeParameters<Operator, Scalar>;

  static constexpr FlowModel model{kind_of<L>, operator_of<Operator>, form,
                                   has_smagorinsky<Operator>};
  template <class Scalar>
  TESSERA_HOST_DEVICE static constexpr Parameters<Scalar> narrow(FlowParameters const& p) {
    return {rates_from<typename Operator::template Rates<Scalar>>(p),
            {static_cast<Scalar>(p.force[0]), static_cast<Scalar>(p.force[1]),
             static_cast<Scalar>(p.force[2])}};
  }
  template <class Real, class Scalar>
  TESSERA_HOST_DEVICE static constexpr void collide(Real (&f)[L::size],
                                                    Parameters<Scalar> const& parameters) {
    tessera::collide<L, Operator, form>(f, parameters);
  }
};

/// D3Q19 with one or two rates, written out (lattice/collision.hpp): what flow through rock runs
/// with.
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

/// Types to go through.
template <class... Models>
struct ModelList {
  static constexpr std::size_t size = sizeof...(Models);

  static std::vector<FlowModel> all() { return {Models::model...}; }

  /// Place of the one that stands for a model; `size` if none does.
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

/// The models of a velocity set that there are kernels for.
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
  using Models = ModelList<TwoRatesModel<models::linear>, TwoRatesModel<models::second>,
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
