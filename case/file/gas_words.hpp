// SPDX-License-Identifier: MIT
// The words of case files for spectral differences.
#pragma once

#include "base/name_list.hpp"
#include "base/storage.hpp"
#include "models/spectral/boundary.hpp"
#include "models/spectral/riemann.hpp"
#include "models/spectral/runge_kutta.hpp"

namespace tessera {

inline constexpr NameList<spectral::RiemannSolver, 3> riemann_names{
    {{"roe", spectral::RiemannSolver::roe},
     {"hllc", spectral::RiemannSolver::hllc},
     {"rusanov", spectral::RiemannSolver::rusanov}}};

inline constexpr NameList<spectral::Integrator, 4> integrator_names{
    {{"carpenter-kennedy", spectral::Integrator::carpenter_kennedy},
     {"ssp-rk3", spectral::Integrator::ssp3},
     {"bogey-bailly", spectral::Integrator::bogey_bailly},
     {"alpha", spectral::Integrator::jameson}}};

inline constexpr NameList<spectral::BoundaryKind, 4> gas_boundary_names{
    {{"slip-wall", spectral::BoundaryKind::slip_wall},
     {"far-field", spectral::BoundaryKind::far_field},
     {"inflow", spectral::BoundaryKind::inlet},
     {"outflow", spectral::BoundaryKind::outlet}}};

/// Gases have no half precision.
inline constexpr NameList<Precision, 2> gas_precision_names{
    {{"single", Precision::single_precision}, {"double", Precision::double_precision}}};

}  // namespace tessera
