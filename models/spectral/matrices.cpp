// SPDX-License-Identifier: MIT
#include "models/spectral/matrices.hpp"

namespace tessera::spectral {

template <>
MortarMatrices<double> const& mortar_matrices<double>() {
  static MortarMatrices<double> const made = make_mortar_matrices<double>();
  return made;
}

template <>
MortarMatrices<float> const& mortar_matrices<float>() {
  static MortarMatrices<float> const made = make_mortar_matrices<float>();
  return made;
}

}  // namespace tessera::spectral
