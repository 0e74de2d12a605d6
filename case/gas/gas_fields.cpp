// SPDX-License-Identifier: MIT
#include "case/gas/gas_fields.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "spectral/geometry.hpp"

namespace tessera {

GasFields::GasFields(spectral::Mesh const& mesh, std::optional<double> r) : r_(r) {
  cells_.dimension = mesh.dimension;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    int const degree = std::max({static_cast<int>(mesh.degree[e]), mesh.map_degree, 1});
    cells_.degree.push_back(static_cast<std::uint8_t>(degree));
    auto const places = spectral::map_points(mesh.dimension, mesh.map_degree, mesh.nodes_of(e),
                                             spectral::equal_points(degree));
    cells_.points.insert(cells_.points.end(), places.begin(), places.end());
  }
}

void GasFields::write(std::filesystem::path const& file, GasState const& state) const {
  std::vector<float> density, velocity, pressure, mach, temperature;
  spectral::Gas<double> const gas = state.of().gas;
  for (std::size_t e = 0; e < cells_.degree.size(); ++e) {
    std::vector<double> const points = spectral::equal_points(cells_.degree[e]);
    for (auto const& q : state.on_grid(e, {points, points, points})) {
      spectral::Primitive<double> const at = primitive(q, gas);
      density.push_back(static_cast<float>(at.density));
      for (double const u : at.velocity) velocity.push_back(static_cast<float>(u));
      pressure.push_back(static_cast<float>(at.pressure));
      mach.push_back(static_cast<float>(std::hypot(at.velocity[0], at.velocity[1], at.velocity[2]) /
                                        sound_speed(at, gas)));
      if (r_) temperature.push_back(static_cast<float>(at.pressure / (at.density * *r_)));
    }
  }
  std::vector<Field> fields{{"density", 1, std::span<float const>(density)},
                            {"velocity", 3, std::span<float const>(velocity)},
                            {"pressure", 1, std::span<float const>(pressure)},
                            {"mach", 1, std::span<float const>(mach)}};
  if (r_) fields.push_back({"temperature", 1, std::span<float const>(temperature)});
  std::vector<std::uint8_t> const degrees(state.mesh().degree);
  Field const of_cells{"degree", 1, std::span<std::uint8_t const>(degrees)};
  write_vtkhdf_elements(file, cells_, fields, std::span(&of_cells, 1));
}

}  // namespace tessera
