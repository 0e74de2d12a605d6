// SPDX-License-Identifier: MIT
// Entries for each model that kernels are compiled for, found while the program runs.
#pragma once

#include <array>
#include <cstddef>

#include "models/lattice/models.hpp"

namespace tessera {

/// By LatticeKind: the address of one T for each of its models, in the order of ModelsOn.
template <class T>
struct ModelTable {
  std::array<T const*, lattice_kinds> of_lattice;

  /// The entry of a model; nullptr if there is none.
  T const* find(FlowModel const& model) const {
    return with_lattice(model.lattice, [&]<class Lattice>() -> T const* {
      using Models = typename ModelsOn<Lattice>::Models;
      std::size_t const index = Models::index_of(model);
      return index < Models::size ? of_lattice[static_cast<std::size_t>(model.lattice)] + index
                                  : nullptr;
    });
  }
};

/// The part of the table that belongs to one velocity set. Each part is defined in a file of its
/// own, which CMake makes.
template <class T, class Lattice>
using ModelTableOn = std::array<T, ModelsOn<Lattice>::Models::size>;

}  // namespace tessera

/// Declares the parts of a table, name_D2Q9 and so on; and puts them together.
#define TESSERA_DECLARE_PART(Lattice, kind, T, name) \
  extern ModelTableOn<T, Lattice> const name##_##Lattice;
#define TESSERA_DECLARE_MODEL_TABLE(T, name) TESSERA_VELOCITY_SETS(TESSERA_DECLARE_PART, T, name)
#define TESSERA_PART(Lattice, kind, name) name##_##Lattice.data(),
#define TESSERA_MODEL_TABLE(name)                 \
  {                                               \
    { TESSERA_VELOCITY_SETS(TESSERA_PART, name) } \
  }
