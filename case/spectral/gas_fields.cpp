// SPDX-License-Identifier: MIT
#include "case/spectral/gas_fields.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "models/spectral/geometry.hpp"

namespace tessera {

GasFields::GasFields(spectral::Mesh const& mesh, std::vector<std::size_t> elements,
                     std::optional<double> r)
    : elements_(std::move(elements)), r_(r) {
  cells_.dimension = mesh.dimension;
  for (std::size_t const e : elements_) {
    degree_.push_back(mesh.degree[e]);
    int const degree = std::max({static_cast<int>(mesh.degree[e]), mesh.map_degree, 1});
    cells_.degree.push_back(static_cast<std::uint8_t>(degree));
    auto const places = spectral::map_points(mesh.dimension, mesh.map_degree, mesh.nodes_of(e),
                                             spectral::equal_points(degree));
    cells_.points.insert(cells_.points.end(), places.begin(), places.end());
  }
}

void GasFields::take(GasState const& state) {
  for (auto* const values : {&density_, &velocity_, &pressure_, &mach_, &entropy_, &temperature_})
    values->clear();
  spectral::Gas<double> const gas = state.of().gas;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    std::vector<double> const points = spectral::equal_points(cells_.degree[i]);
    for (auto const& q : state.on_grid(elements_[i], {points, points, points})) {
      spectral::Primitive<double> const at = primitive(q, gas);
      double const speed = std::hypot(at.velocity[0], at.velocity[1], at.velocity[2]);
      density_.push_back(static_cast<float>(at.density));
      for (double const u : at.velocity) velocity_.push_back(static_cast<float>(u));
      pressure_.push_back(static_cast<float>(at.pressure));
      mach_.push_back(static_cast<float>(speed / sound_speed(at, gas)));
      entropy_.push_back(static_cast<float>(at.pressure / std::pow(at.density, gas.gamma)));
      if (r_) temperature_.push_back(static_cast<float>(at.pressure / (at.density * *r_)));
    }
  }
}

std::vector<Field> GasFields::of_points() const {
  std::vector<Field> fields{{"density", 1, std::span<float const>(density_)},
                            {"velocity", 3, std::span<float const>(velocity_)},
                            {"pressure", 1, std::span<float const>(pressure_)},
                            {"mach", 1, std::span<float const>(mach_)},
                            {"entropy", 1, std::span<float const>(entropy_)}};
  if (r_) fields.push_back({"temperature", 1, std::span<float const>(temperature_)});
  return fields;
}

void GasFields::write(std::filesystem::path const& file) const {
  Field const of_cells{"degree", 1, std::span<std::uint8_t const>(degree_)};
  write_vtkhdf_elements(file, cells_, of_points(), std::span(&of_cells, 1));
}

}  // namespace tessera
