// SPDX-License-Identifier: MIT
// The state of a gas at one time, element by element, with interpolation between its points.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/spectral/gas.hpp"
#include "models/spectral/tensor.hpp"
#include "partition/spectral/tiles.hpp"

namespace tessera {

/// The numbers of all elements, ascending.
std::vector<std::size_t> all_elements(spectral::Mesh const& mesh);
std::vector<std::size_t> elements_of(spectral::Packs const& packs,
                                     std::span<std::int32_t const> numbers);

class GasState {
 public:
  /// A state without values, until it takes the first pack. The mesh must outlive it.
  explicit GasState(spectral::MeshOfGas const& of);
  /// A state without values, with memory for these elements only, in ascending order.
  GasState(spectral::MeshOfGas const& of, std::span<std::size_t const> elements);

  /// Takes the elements of the pack of this number from its values, which are laid out as in
  /// partition/spectral/packs.hpp.
  template <class N>
  void take_pack(std::int32_t number, N const* values);

  spectral::MeshOfGas const& of() const { return *of_; }
  spectral::Mesh const& mesh() const { return of_->mesh; }
  /// The states at the solution points of an element, xi fastest.
  std::span<spectral::State<double> const> element(std::size_t e) const {
    return std::span(values_).subspan(first_[e], first_[e + 1] - first_[e]);
  }
  /// The states in an element at all points of a grid, given by their coordinates along each axis.
  std::vector<spectral::State<double>> on_grid(std::size_t e,
                                               std::array<std::span<double const>, 3> grid) const;
  /// Whether all values are finite, and density and pressure above 0.
  bool is_possible() const;

 private:
  spectral::MeshOfGas const* of_;
  std::vector<std::size_t> first_;
  std::vector<spectral::State<double>> values_;
};

}  // namespace tessera
