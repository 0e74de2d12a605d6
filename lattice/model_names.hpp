// SPDX-License-Identifier: MIT
// What users call velocity sets, operators and equilibria.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "lattice/flow_model.hpp"
#include "lattice/storage.hpp"

namespace tessera {

inline constexpr std::array<std::pair<std::string_view, LatticeKind>, 5> lattice_names{
    {{"D2Q9", LatticeKind::d2q9},
     {"D3Q13", LatticeKind::d3q13},
     {"D3Q15", LatticeKind::d3q15},
     {"D3Q19", LatticeKind::d3q19},
     {"D3Q27", LatticeKind::d3q27}}};

inline constexpr std::array<std::pair<std::string_view, CollisionOperator>, 7> collision_names{
    {{"bgk", CollisionOperator::bgk},
     {"trt", CollisionOperator::trt},
     {"mrt", CollisionOperator::mrt},
     {"mrt-weighted", CollisionOperator::mrt_weighted},
     {"regularised", CollisionOperator::regularised},
     {"central-moments", CollisionOperator::central_moments},
     {"cumulants", CollisionOperator::cumulants}}};

inline constexpr std::array<std::pair<std::string_view, EquilibriumForm>, 3> equilibrium_names{
    {{"stokes", EquilibriumForm::linear},
     {"navier-stokes", EquilibriumForm::second_order},
     {"product", EquilibriumForm::product}}};

inline constexpr std::array<std::pair<std::string_view, Precision>, 3> precision_names{
    {{"half", Precision::half_storage},
     {"single", Precision::single_precision},
     {"double", Precision::double_precision}}};

/// The name of a value in one of these lists.
template <class Names, class Value>
constexpr std::string_view name_in(Names const& names, Value value) {
  for (auto const& [name, named] : names) {
    if (named == value) return name;
  }
  return {};
}

}  // namespace tessera
