// SPDX-License-Identifier: MIT
// The state of a gas as a file that ParaView opens.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "case/gas/gas_state.hpp"
#include "io/vtkhdf_elements.hpp"

namespace tessera {

/// Density, velocity, pressure and Mach number at equally spaced points of each element, its sides
/// among them; elements that share a side have points of their own there, as the flow may jump.
class GasFields {
 public:
  /// `r`: the gas constant; with it, there is a temperature. The mesh must outlive it.
  GasFields(spectral::Mesh const& mesh, std::optional<double> r);

  /// Throws EnvironmentError.
  void write(std::filesystem::path const& file, GasState const& state) const;

 private:
  LagrangeCells cells_;
  std::optional<double> r_;
};

}  // namespace tessera
