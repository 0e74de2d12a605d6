// SPDX-License-Identifier: MIT
// Parts of a box in transfer between two programs, and how a cell of them is converted, by one code
// on cores and on GPUs.
//
// Tessera keeps the state after the collision, shifted: f_q - w_q. The other program may store the
// populations in any order of velocities, shifted or not, after its collision or before. Before the
// collision means: what streams in. So cells that it sends are collided on arrival, and cells that
// it receives are pulled from the step before.
#pragma once

#include <cstddef>
#include <cstdint>

#include "methods/coprocessor/box_models.hpp"
#include "methods/coprocessor/box_shape.hpp"

namespace tessera {

/// How the other program keeps the populations of a cell.
struct ForeignCell {
  std::int8_t ours[27];   ///< Tessera's number of its k-th velocity
  bool shifted;           ///< f_q - w_q
  bool before_collision;  ///< else after it
  bool wide;              ///< double precision
};

/// A block of cells, and where it stands among the transferred populations.
struct BoxPart {
  std::int32_t begin[3];  ///< x, y, z
  std::int32_t size[3];
  std::int64_t first;      ///< population
  std::int64_t stride[4];  ///< along x, y, z and from velocity to velocity

  TESSERA_HOST_DEVICE constexpr std::int64_t cells() const {
    return std::int64_t{size[0]} * size[1] * size[2];
  }
};

/// The parts that are transferred in one piece.
struct BoxParts {
  static constexpr int most = 8;
  BoxPart parts[most];
  int count;

  TESSERA_HOST_DEVICE constexpr std::int64_t cells() const {
    std::int64_t sum = 0;
    for (int p = 0; p < count; ++p) sum += parts[p].cells();
    return sum;
  }
};

/// A cell of a part: where it lies in the box, and the place of its population 0 among the
/// transferred ones.
struct TravellingCell {
  std::int32_t at[3];
  std::int64_t first;
  std::int64_t stride;
};

/// The n-th of the cells of all parts.
TESSERA_HOST_DEVICE TravellingCell cell_of(BoxParts const& list, std::int64_t n) {
  int p = 0;
  while (n >= list.parts[p].cells()) n -= list.parts[p++].cells();
  BoxPart const& part = list.parts[p];
  auto const x = static_cast<std::int32_t>(n % part.size[0]);
  auto const rest = static_cast<std::int32_t>(n / part.size[0]);
  std::int32_t const y = rest % part.size[1];
  std::int32_t const z = rest / part.size[1];
  return {{part.begin[0] + x, part.begin[1] + y, part.begin[2] + z},
          part.first + x * part.stride[0] + y * part.stride[1] + z * part.stride[2],
          part.stride[3]};
}

TESSERA_HOST_DEVICE double travelling(void const* populations, bool wide, std::int64_t i) {
  return wide ? static_cast<double const*>(populations)[i]
              : static_cast<double>(static_cast<float const*>(populations)[i]);
}

/// What streams into a cell.
template <class Lattice, int q = 0, class Real>
TESSERA_HOST_DEVICE void pull_cell(Real (&f)[Lattice::size], BoxView<Real const> const& old,
                                   std::int32_t const (&at)[3]) {
  if constexpr (q < Lattice::size) {
    f[q] = old.row(q, at[1] - Lattice::y(q), at[2] - Lattice::z(q))[at[0] - Lattice::x(q)];
    pull_cell<Lattice, q + 1>(f, old, at);
  }
}

/// Takes a cell that arrives into the box.
template <class Model, class Real>
TESSERA_HOST_DEVICE void take_cell(BoxView<Real> const& box, TravellingCell const& cell,
                                   void const* populations, ForeignCell const& foreign,
                                   typename Model::template Parameters<Real> const& parameters) {
  using Lattice = typename Model::Lattice;
  Real f[Lattice::size];
  for (int k = 0; k < Lattice::size; ++k) {
    int const q = foreign.ours[k];  // NOLINT(bugprone-signed-char-misuse): a number
    double const value = travelling(populations, foreign.wide, cell.first + k * cell.stride);
    f[q] = static_cast<Real>(foreign.shifted ? value : value - Lattice::weight(q));
  }
  if (foreign.before_collision) Model::collide(f, parameters);
  for (int q = 0; q < Lattice::size; ++q) box.row(q, cell.at[1], cell.at[2])[cell.at[0]] = f[q];
}

/// Writes a cell that leaves. `box`: the state after the last step, or after the step before where
/// the other program has the state before its collision.
template <class Lattice, class Real>
TESSERA_HOST_DEVICE void give_cell(BoxView<Real const> const& box, TravellingCell const& cell,
                                   void* populations, ForeignCell const& foreign) {
  Real f[Lattice::size];
  if (foreign.before_collision) {
    pull_cell<Lattice>(f, box, cell.at);
  } else {
    for (int q = 0; q < Lattice::size; ++q) f[q] = box.row(q, cell.at[1], cell.at[2])[cell.at[0]];
  }
  for (int k = 0; k < Lattice::size; ++k) {
    int const q = foreign.ours[k];  // NOLINT(bugprone-signed-char-misuse): a number
    double const value = static_cast<double>(f[q]) + (foreign.shifted ? 0.0 : Lattice::weight(q));
    std::int64_t const to = cell.first + k * cell.stride;
    if (foreign.wide) {
      static_cast<double*>(populations)[to] = value;
    } else {
      static_cast<float*>(populations)[to] = static_cast<float>(value);
    }
  }
}

}  // namespace tessera
