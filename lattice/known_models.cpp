// SPDX-License-Identifier: MIT
#include "lattice/known_models.hpp"

#include "lattice/model_names.hpp"
#include "lattice/models.hpp"

namespace tessera {

bool go_together(LatticeKind lattice, CollisionOperator collision, EquilibriumForm equilibrium,
                 bool large_eddies) {
  return with_lattice(lattice, [&]<class Lattice>() {
    using Models = typename ModelsOn<Lattice>::Models;
    return Models::index_of({lattice, collision, equilibrium, large_eddies}) < Models::size;
  });
}

bool has_magic(CollisionOperator collision) {
  return collision == CollisionOperator::trt || collision == CollisionOperator::mrt ||
         collision == CollisionOperator::mrt_weighted;
}

std::vector<EquilibriumForm> equilibria_for(LatticeKind lattice, CollisionOperator collision) {
  std::vector<EquilibriumForm> fitting;
  for (auto const& [name, form] : equilibrium_names) {
    if (go_together(lattice, collision, form, false)) fitting.push_back(form);
  }
  return fitting;
}

}  // namespace tessera
