// SPDX-License-Identifier: MIT
#include "models/lattice/known_models.hpp"

#include "models/lattice/model_names.hpp"
#include "models/lattice/models.hpp"

namespace tessera {

bool is_known(FlowModel const& model) {
  return with_lattice(model.lattice, [&]<class Lattice>() {
    using Models = typename ModelsOn<Lattice>::Models;
    return Models::index_of(model) < Models::size;
  });
}

std::vector<FlowModel> models_on(LatticeKind lattice) {
  return with_lattice(lattice, []<class Lattice>() { return ModelsOn<Lattice>::Models::all(); });
}

std::vector<EquilibriumForm> equilibria_for(LatticeKind lattice, CollisionOperator collision) {
  std::vector<EquilibriumForm> fitting;
  for (auto const& [name, form] : equilibrium_names) {
    if (is_known({lattice, collision, form})) fitting.push_back(form);
  }
  return fitting;
}

}  // namespace tessera
