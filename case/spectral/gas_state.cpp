// SPDX-License-Identifier: MIT
#include "case/spectral/gas_state.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "codelets/spectral/states.hpp"

namespace tessera {

using spectral::Matrix;
using spectral::State;

GasState::GasState(spectral::MeshOfGas const& of) : GasState(of, all_elements(of.mesh)) {}

GasState::GasState(spectral::MeshOfGas const& of, std::span<std::size_t const> elements)
    : of_(&of), first_{0} {
  for (std::size_t e = 0; e < of.mesh.elements(); ++e) {
    std::size_t points = 0;
    if (!elements.empty() && elements.front() == e) {
      elements = elements.subspan(1);
      spectral::PackShape const shape{of.mesh.dimension, of.mesh.degree[e]};
      points = static_cast<std::size_t>(shape.points());
    }
    first_.push_back(first_.back() + points);
  }
}

std::vector<std::size_t> all_elements(spectral::Mesh const& mesh) {
  std::vector<std::size_t> all(mesh.elements());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<std::size_t> elements_of(spectral::Packs const& packs,
                                     std::span<std::int32_t const> numbers) {
  std::vector<std::size_t> elements;
  for (std::int32_t const number : numbers) {
    spectral::Pack const& pack = packs.packs[static_cast<std::size_t>(number)];
    elements.insert(elements.end(), pack.element.begin(), pack.element.begin() + pack.elements);
  }
  std::ranges::sort(elements);
  return elements;
}

template <class N>
void GasState::take_pack(std::int32_t number, N const* values) {
  values_.resize(first_.back());
  spectral::Pack const& pack = of_->packs.packs[static_cast<std::size_t>(number)];
  spectral::PackShape const shape{mesh().dimension, pack.degree};
  for (std::int32_t lane = 0; lane < pack.elements; ++lane) {
    auto const e = static_cast<std::size_t>(pack.element[static_cast<std::size_t>(lane)]);
    std::ranges::copy(spectral::lane_of(shape, values, lane),
                      values_.begin() + static_cast<std::ptrdiff_t>(first_[e]));
  }
}
template void GasState::take_pack<double>(std::int32_t, double const*);
template void GasState::take_pack<float>(std::int32_t, float const*);

std::vector<State<double>> GasState::on_grid(std::size_t e,
                                             std::array<std::span<double const>, 3> grid) const {
  auto const dimension = static_cast<std::size_t>(mesh().dimension);
  std::vector<double> const points = spectral::solution_points(mesh().degree[e]);
  std::array<Matrix, 3> matrices;
  std::vector<Matrix const*> along;
  for (std::size_t a = 0; a < dimension; ++a) {
    matrices[a] = spectral::interpolation(grid[a], points);
    along.push_back(&matrices[a]);
  }
  std::span<State<double> const> const states = element(e);
  std::vector<State<double>> found;
  std::vector<double> field(states.size());
  for (int v = 0; v < spectral::variables; ++v) {
    std::ranges::transform(states, field.begin(), [v](State<double> const& q) { return q[v]; });
    std::vector<double> const there = spectral::tensor_product(along, field);
    found.resize(there.size());
    for (std::size_t i = 0; i < there.size(); ++i) found[i][v] = there[i];
  }
  return found;
}

bool GasState::is_possible() const {
  return std::ranges::all_of(values_, [&](State<double> const& q) {
    double const pressure = primitive(q, of_->gas).pressure;
    return q[spectral::density] > 0 && pressure > 0 && std::isfinite(q[spectral::density]) &&
           std::isfinite(pressure);
  });
}

}  // namespace tessera
