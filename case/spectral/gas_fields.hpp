// SPDX-License-Identifier: MIT
// Fields of the state of a gas, for ParaView.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "case/spectral/gas_state.hpp"
#include "io/fields/vtkhdf_elements.hpp"

namespace tessera {

/// Density, velocity, pressure, Mach number and entropy p / density^gamma at equally spaced points
/// of each element, its sides among them; elements that share a side have points of their own
/// there, as the flow may jump.
class GasFields {
 public:
  /// Fields of these elements, in their order. `r`: the gas constant; with it, there is a
  /// temperature.
  GasFields(spectral::Mesh const& mesh, std::vector<std::size_t> elements, std::optional<double> r);

  /// Takes the fields from a state that has these elements.
  void take(GasState const& state);

  std::vector<std::size_t> const& elements() const { return elements_; }
  LagrangeCells const& cells() const { return cells_; }
  /// The degree of the polynomials in each cell.
  std::vector<std::uint8_t> const& degrees() const { return degree_; }
  /// Fields at the points, of the state taken last.
  std::vector<Field> of_points() const;
  /// Writes a file for ParaView. Throws EnvironmentError.
  void write(std::filesystem::path const& file) const;

 private:
  std::vector<std::size_t> elements_;
  LagrangeCells cells_;
  std::vector<std::uint8_t> degree_;
  std::optional<double> r_;
  std::vector<float> density_, velocity_, pressure_, mach_, entropy_, temperature_;
};

}  // namespace tessera
