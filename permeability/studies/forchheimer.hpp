// SPDX-License-Identifier: MIT
// Forchheimer's law, -dp/dx = mu U / k + beta rho U^2, from flows at several Reynolds numbers.
#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "io/json_fwd.hpp"
#include "permeability/flows/inertial_flows.hpp"

namespace tessera {

struct ForchheimerLaw {
  double k_lattice = 0;  ///< of Forchheimer's line, voxels squared; not Darcy's
  double beta = 0;       ///< per voxel
  /// Largest relative difference of a flow's resistance from the line; none where there are but
  /// two.
  std::optional<double> misfit;
  std::size_t flows = 0;
};

/// The line g/(nu U) = 1/k + beta U/nu by least squares of relative differences through the settled
/// flows whose resistance exceeds Darcy's by 1 % and more; nothing if these are not two at least.
/// Below, the excess grows with the square of U (Mei and Auriault 1991), and above is no line.
std::optional<ForchheimerLaw> forchheimer_law(std::span<InertialFlow const> flows, double k_darcy);

Json to_json(InertialFlow const& flow, std::optional<double> voxel_size_m);
Json to_json(ForchheimerLaw const& law, std::optional<double> voxel_size_m);
/// A line for each flow (docs/formats.md). Throws EnvironmentError.
void write_inertial_csv(std::filesystem::path const& path, std::span<InertialFlow const> flows,
                        std::optional<double> voxel_size_m);
void print_inertial(std::span<InertialFlow const> flows, double k_darcy,
                    std::optional<ForchheimerLaw> const& law, std::optional<double> voxel_size_m);

}  // namespace tessera
