// SPDX-License-Identifier: MIT
// The users' names of velocity sets, operators, equilibria and precisions: lists of names with
// their values, by which commands and case files are read and written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_list.hpp"
#include "base/storage.hpp"
#include "models/lattice/flow_model.hpp"

namespace tessera {

inline constexpr NameList<LatticeKind, lattice_kinds> lattice_names{{
#define TESSERA_NAME(Lattice, kind, ...) {Lattice::name, LatticeKind::kind},
    TESSERA_VELOCITY_SETS(TESSERA_NAME)
#undef TESSERA_NAME
}};

inline constexpr auto collision_names = [] {
  NameList<CollisionOperator, collision_operators.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = {collision_operators[i].name, collision_operators[i].kind};
  return names;
}();

/// "central-moments and cumulants": the operators whose usual equilibrium is the product.
inline std::string collisions_with_product() {
  std::vector<std::string_view> names;
  for (CollisionTraits const& row : collision_operators) {
    if (row.of_all_triples) names.push_back(row.name);
  }
  return one_of(names, " and ");
}

inline constexpr NameList<EquilibriumForm, 3> equilibrium_names{
    {{"stokes", EquilibriumForm::linear},
     {"navier-stokes", EquilibriumForm::second_order},
     {"product", EquilibriumForm::product}}};

inline constexpr NameList<Precision, 3> precision_names{{{"half", Precision::half_storage},
                                                         {"single", Precision::single_precision},
                                                         {"double", Precision::double_precision}}};

}  // namespace tessera
