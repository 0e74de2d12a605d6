// SPDX-License-Identifier: MIT
#include "io/case/model_table.hpp"

#include <cmath>

#include "lattice/operators.hpp"

namespace tessera {
namespace {

/// Calls visitor.operator()<D2Q9>() and so on.
template <class Visitor>
auto with_lattice(Case::Lattice lattice, Visitor visitor) {
  switch (lattice) {
    case Case::Lattice::d2q9:
      return visitor.template operator()<D2Q9>();
    case Case::Lattice::d3q13:
      return visitor.template operator()<D3Q13>();
    case Case::Lattice::d3q15:
      return visitor.template operator()<D3Q15>();
    case Case::Lattice::d3q19:
      return visitor.template operator()<D3Q19>();
    case Case::Lattice::d3q27:
      break;
  }
  return visitor.template operator()<D3Q27>();
}

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

bool go_together(Case::Lattice lattice, Case::Collision collision, EquilibriumForm equilibrium,
                 bool large_eddies) {
  return with_lattice(lattice, [&]<class Lattice>() {
    switch (collision) {
      case Case::Collision::bgk:
        return suits<Lattice, Bgk>(equilibrium, large_eddies);
      case Case::Collision::trt:
        return suits<Lattice, Trt>(equilibrium, large_eddies);
      case Case::Collision::mrt:
        return suits<Lattice, Mrt<Orthogonality::plain>>(equilibrium, large_eddies);
      case Case::Collision::mrt_weighted:
        return suits<Lattice, Mrt<Orthogonality::weighted>>(equilibrium, large_eddies);
      case Case::Collision::regularised:
        return suits<Lattice, Regularised>(equilibrium, large_eddies);
      case Case::Collision::central_moments:
        return suits<Lattice, CentralMoments>(equilibrium, large_eddies);
      case Case::Collision::cumulants:
        break;
    }
    return suits<Lattice, Cumulants>(equilibrium, large_eddies);
  });
}

std::vector<EquilibriumForm> equilibria_for(Case::Lattice lattice, Case::Collision collision) {
  std::vector<EquilibriumForm> fitting;
  for (EquilibriumForm form : all_equilibria) {
    if (go_together(lattice, collision, form, false)) fitting.push_back(form);
  }
  return fitting;
}

double viscosity_factor(Case::Lattice lattice) {
  return with_lattice(lattice,
                      []<class Lattice>() { return tessera::viscosity_factor<Lattice>(); });
}

int dimensions(Case::Lattice lattice) {
  return with_lattice(lattice, []<class Lattice>() { return Lattice::dimensions; });
}

double sound_speed(Case::Lattice lattice) {
  return with_lattice(lattice,
                      []<class Lattice>() { return std::sqrt(Lattice::sound_speed_squared); });
}

}  // namespace tessera
