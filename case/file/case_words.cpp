// SPDX-License-Identifier: MIT
#include "case/file/case_words.hpp"

#include <string_view>

#include "models/lattice/model_names.hpp"

namespace tessera {
std::string_view name_of(LatticeKind lattice) { return name_in(lattice_names, lattice); }
std::string_view name_of(CollisionOperator collision) {
  return name_in(collision_names, collision);
}
std::string_view name_of(EquilibriumForm form) { return name_in(equilibrium_names, form); }
std::string_view name_of(Precision precision) { return name_in(precision_names, precision); }
std::string_view name_of(Case::BoundaryType type) { return traits_of(type).name; }
std::string_view name_of(Case::Scheme scheme) {
  return scheme == Case::Scheme::none ? "none" : name_in(scheme_names, scheme);
}
std::string_view name_of(Case::Face face) { return name_in(face_names, face); }

}  // namespace tessera
