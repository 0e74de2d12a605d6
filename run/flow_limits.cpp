// SPDX-License-Identifier: MIT
#include "run/flow_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/ranks/ranks.hpp"

namespace tessera {
namespace {

constexpr double most_mach = 0.3;
constexpr double least_mean_density = 0.1;
constexpr double most_mean_density = 10;

double mean_speed(Measurement const& measurement) {
  auto const& momentum = measurement.total.momentum;
  double const mass = measurement.total.nodes + measurement.total.density_shift;
  return std::hypot(momentum[0], momentum[1], momentum[2]) / std::abs(mass);
}

}  // namespace

FlowLimits::FlowLimits(LatticeKind lattice, EquilibriumForm equilibrium)
    : sound_(std::sqrt(velocities_of(lattice).sound_speed_squared)),
      linear_(equilibrium == EquilibriumForm::linear) {}

std::optional<std::string> FlowLimits::absurd_speed(double speed, char const* which) const {
  if (speed <= 1 || (linear_ && std::isfinite(speed))) return std::nullopt;
  return fmt::format("{} speed was {:.3g} voxels a step", which, speed);
}

std::optional<std::string> FlowLimits::look(FlowState const& state) {
  double square = 0;
  double least_density = 1;
  bool numbers = true;
  state.visit_rows([&](Int3, std::span<std::uint8_t const> pore, std::span<NodeState const> nodes) {
    for (std::size_t i = 0; i < pore.size(); ++i) {
      if (pore[i] == 0) continue;
      double here = 0;
      for (float const u : nodes[i].velocity)
        here += static_cast<double>(u) * static_cast<double>(u);
      double const density = 1 + static_cast<double>(nodes[i].density_shift);
      numbers = numbers && std::isfinite(here) && std::isfinite(density);
      square = std::max(square, here);
      least_density = std::min(least_density, density);
    }
  });
  std::array<double, 3> most{square, -least_density, numbers ? 0.0 : 1.0};
  Ranks::maximum(most);
  if (most[2] != 0) return "velocities were no longer numbers";
  square = most[0];
  least_density = -most[1];
  largest_speed_ = std::max(largest_speed_, std::sqrt(square));
  if (least_density <= 0) return fmt::format("the least density was {:.3g}", least_density);
  return absurd_speed(std::sqrt(square), "the largest");
}

std::optional<std::string> FlowLimits::look(Measurement const& measurement) const {
  double const density = 1 + measurement.total.density_shift / measurement.total.nodes;
  if (!(density >= least_mean_density && density <= most_mean_density))
    return fmt::format("the mean density was {:.3g}", density);
  return absurd_speed(mean_speed(measurement), "the mean");
}

bool FlowLimits::is_fast(Measurement const& measurement) const {
  return mean_speed(measurement) > most_mach * sound_;
}

std::optional<std::string> FlowLimits::warning() const {
  if (mach() <= most_mach) return std::nullopt;
  return fmt::format(
      "the flow has reached Mach {:.3g} ({:.3g} voxels a step): above {} it is compressed, and its "
      "errors cannot be neglected: expected a smaller force or speed, or a shorter time step",
      mach(), largest_speed_, most_mach);
}

}  // namespace tessera
