// SPDX-License-Identifier: MIT
// The combinations of lattice, operator and equilibrium that the tests go through.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "models/lattice/operators.hpp"
#include "tests/models/lattice/bgk.hpp"

namespace tessera {

template <VelocitySet L, class O, EquilibriumForm f>
struct Combination {
  using Lattice = L;
  using Operator = O;
  static constexpr EquilibriumForm form = f;
};

using MrtPlain = Mrt<Orthogonality::plain>;
using MrtWeighted = Mrt<Orthogonality::weighted>;

inline std::string name_of(Bgk) { return "Bgk"; }
inline std::string name_of(Trt) { return "Trt"; }
inline std::string name_of(MrtPlain) { return "Mrt"; }
inline std::string name_of(MrtWeighted) { return "MrtWeighted"; }
inline std::string name_of(Regularised) { return "Regularised"; }
inline std::string name_of(CentralMoments) { return "CentralMoments"; }
inline std::string name_of(Cumulants) { return "Cumulants"; }
template <class Operator>
std::string name_of(Smagorinsky<Operator>) {
  return std::string("Smagorinsky").append(name_of(Operator{}));
}
inline std::string name_of(EquilibriumForm form) {
  return form == EquilibriumForm::linear         ? "Linear"
         : form == EquilibriumForm::second_order ? "SecondOrder"
                                                 : "Product";
}
struct NameOfCombination {
  template <class C>
  static std::string GetName(int /*index*/) {
    return std::string(C::Lattice::name)
        .append(name_of(typename C::Operator{}))
        .append(name_of(C::form));
  }
};

/// Rates, all of them different, with this rate of the shear stresses.
template <class Operator, VelocitySet Lattice>
typename Operator::template Rates<double> some_rates(double shear = 1.6) {
  if constexpr (std::is_same_v<Operator, Trt>) {
    return {shear, 1 / (0.5 + 3.0 / 16 / (1 / shear - 0.5))};
  } else if constexpr (requires { Operator::template Rates<double>::energy_flux; }) {
    double const normal = equal_mrt_rates<Lattice>(shear).normal;
    return {shear, normal, 1.19, 1.4, 1.2, 1.35, 1.98};
  } else if constexpr (requires { Operator::template Rates<double>::higher; }) {
    return {shear, 1.1, 1.2, 1.3};
  } else if constexpr (requires { Operator::template Rates<double>::laminar; }) {
    using Laminar = decltype(Operator::template Rates<double>::laminar);
    if constexpr (std::is_same_v<Laminar, MrtRates<double>>) {
      return {some_rates<MrtPlain, Lattice>(shear), shear, 0.0256};
    } else if constexpr (std::is_same_v<Laminar, CentralRates<double>>) {
      return {some_rates<Cumulants, Lattice>(shear), shear, 0.0256};
    } else {
      return {{shear}, shear, 0.0256};
    }
  } else {
    return {shear};
  }
}

namespace forms {
inline constexpr auto linear = EquilibriumForm::linear;
inline constexpr auto second = EquilibriumForm::second_order;
inline constexpr auto product = EquilibriumForm::product;
}  // namespace forms

using AllCombinations = testing::Types<
    Combination<D2Q9, Bgk, forms::second>, Combination<D2Q9, Trt, forms::linear>,
    Combination<D2Q9, Trt, forms::second>, Combination<D2Q9, MrtPlain, forms::second>,
    Combination<D2Q9, MrtWeighted, forms::second>, Combination<D2Q9, Regularised, forms::second>,
    Combination<D2Q9, CentralMoments, forms::product>, Combination<D2Q9, Bgk, forms::product>,
    Combination<D3Q13, MrtPlain, forms::linear>, Combination<D3Q13, MrtPlain, forms::second>,
    Combination<D3Q15, Bgk, forms::second>, Combination<D3Q15, Trt, forms::linear>,
    Combination<D3Q15, MrtPlain, forms::second>, Combination<D3Q15, MrtWeighted, forms::second>,
    Combination<D3Q15, Regularised, forms::second>, Combination<D3Q19, Bgk, forms::linear>,
    Combination<D3Q19, Bgk, forms::second>, Combination<D3Q19, Trt, forms::linear>,
    Combination<D3Q19, Trt, forms::second>, Combination<D3Q19, MrtPlain, forms::linear>,
    Combination<D3Q19, MrtPlain, forms::second>, Combination<D3Q19, MrtWeighted, forms::second>,
    Combination<D3Q19, Regularised, forms::second>,
    Combination<D3Q19, Smagorinsky<Bgk>, forms::second>,
    Combination<D3Q19, Smagorinsky<MrtPlain>, forms::second>,
    Combination<D3Q27, Bgk, forms::second>, Combination<D3Q27, Trt, forms::second>,
    Combination<D3Q27, MrtWeighted, forms::second>, Combination<D3Q27, Regularised, forms::second>,
    Combination<D3Q27, Bgk, forms::product>, Combination<D3Q27, CentralMoments, forms::product>,
    Combination<D3Q27, Cumulants, forms::product>,
    Combination<D3Q27, Smagorinsky<Cumulants>, forms::product>>;

}  // namespace tessera
