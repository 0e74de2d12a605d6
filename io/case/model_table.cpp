// SPDX-License-Identifier: MIT
#include "io/case/model_table.hpp"

#include "lattice/model_names.hpp"
#include "lattice/operators.hpp"

namespace tessera {
namespace {

template <class Lattice, class Operator, EquilibriumForm form>
bool suits(bool large_eddies) {
  if (!Operator::template suits<Lattice, form>) return false;
  return !large_eddies || Smagorinsky<Operator>::template suits<Lattice, form>;
}

template <class Lattice, class Operator>
bool suits(EquilibriumForm form, bool large_eddies) {
  switch (form) {
    case EquilibriumForm::linear:
      return suits<Lattice, Operator, EquilibriumForm::linear>(large_eddies);
    case EquilibriumForm::second_order:
      return suits<Lattice, Operator, EquilibriumForm::second_order>(large_eddies);
    case EquilibriumForm::product:
      break;
  }
  return suits<Lattice, Operator, EquilibriumForm::product>(large_eddies);
}

}  // namespace

bool go_together(LatticeKind lattice, CollisionOperator collision, EquilibriumForm equilibrium,
                 bool large_eddies) {
  return with_lattice(lattice, [&]<class Lattice>() {
    switch (collision) {
      case CollisionOperator::bgk:
        return suits<Lattice, Bgk>(equilibrium, large_eddies);
      case CollisionOperator::trt:
        return suits<Lattice, Trt>(equilibrium, large_eddies);
      case CollisionOperator::mrt:
        return suits<Lattice, Mrt<Orthogonality::plain>>(equilibrium, large_eddies);
      case CollisionOperator::mrt_weighted:
        return suits<Lattice, Mrt<Orthogonality::weighted>>(equilibrium, large_eddies);
      case CollisionOperator::regularised:
        return suits<Lattice, Regularised>(equilibrium, large_eddies);
      case CollisionOperator::central_moments:
        return suits<Lattice, CentralMoments>(equilibrium, large_eddies);
      case CollisionOperator::cumulants:
        break;
    }
    return suits<Lattice, Cumulants>(equilibrium, large_eddies);
  });
}

std::vector<EquilibriumForm> equilibria_for(LatticeKind lattice, CollisionOperator collision) {
  std::vector<EquilibriumForm> fitting;
  for (auto const& [name, form] : equilibrium_names) {
    if (go_together(lattice, collision, form, false)) fitting.push_back(form);
  }
  return fitting;
}

}  // namespace tessera
