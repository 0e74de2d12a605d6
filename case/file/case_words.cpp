// SPDX-License-Identifier: MIT
// The words of the case file for what has been read from it.
#include <cstddef>
#include <string_view>

#include "case/file/case.hpp"
#include "case/file/keys.hpp"
#include "lattice/model_names.hpp"

namespace tessera {
namespace {

/// Enumerations have the order of the table's words.
std::string_view word(std::string_view section, std::string_view key, std::size_t place) {
  return case_section(section).key(key).words[place];
}

}  // namespace

std::string_view name_of(LatticeKind lattice) { return name_in(lattice_names, lattice); }
std::string_view name_of(CollisionOperator collision) {
  return name_in(collision_names, collision);
}
std::string_view name_of(EquilibriumForm form) { return name_in(equilibrium_names, form); }
std::string_view name_of(Precision precision) {
  return word("model", "precision", static_cast<std::size_t>(precision));
}
std::string_view name_of(Case::BoundaryType type) {
  return word("boundary", "type", static_cast<std::size_t>(type));
}
std::string_view name_of(Case::Scheme scheme) {
  if (scheme == Case::Scheme::none) return "none";
  return word("boundary", "scheme", static_cast<std::size_t>(scheme) - 1);
}
std::string_view name_of(Case::Face face) {
  constexpr std::string_view all = "x-x+y-y+z-z+";
  return all.substr(2 * static_cast<std::size_t>(face), 2);
}

}  // namespace tessera
