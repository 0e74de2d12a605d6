// SPDX-License-Identifier: MIT
#include "permeability/studies/forchheimer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "io/atomic_file.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "models/lattice/model_names.hpp"
#include "models/lattice/units.hpp"

namespace tessera {
namespace {

char const* state_of(InertialFlow const& flow) { return describe(flow.end, permeability_ends); }

std::optional<double> per_metre(double per_voxel, std::optional<double> voxel_size_m) {
  if (!voxel_size_m) return std::nullopt;
  return per_voxel / *voxel_size_m;
}

}  // namespace

std::optional<ForchheimerLaw> forchheimer_law(std::span<InertialFlow const> flows, double k_darcy) {
  constexpr double inertial = 1.01;
  // Sums of a least squares fit of y = a + b x with relative errors: equations divided by y.
  double xx = 0;
  double x1 = 0;
  double x = 0;
  double one = 0;
  double y1 = 0;
  ForchheimerLaw law;
  auto const counts = [&](InertialFlow const& flow) {
    return flow.settled() && flow.resistance() * k_darcy >= inertial;
  };
  for (InertialFlow const& flow : flows) {
    if (!counts(flow)) continue;
    double const weight = 1 / flow.resistance();
    double const over = flow.velocity_over_viscosity;
    xx += weight * weight * over * over;
    x1 += weight * weight * over;
    x += weight * over;
    one += weight * weight;
    y1 += weight;
    ++law.flows;
  }
  double const determinant = one * xx - x1 * x1;
  if (law.flows < 2 || !(determinant > 0)) return std::nullopt;
  double const intercept = (y1 * xx - x * x1) / determinant;
  law.beta = (one * x - x1 * y1) / determinant;
  law.k_lattice = 1 / intercept;
  if (law.flows > 2) law.misfit = 0;
  for (InertialFlow const& flow : flows) {
    if (!counts(flow)) continue;
    double const line = intercept + law.beta * flow.velocity_over_viscosity;
    if (law.misfit) law.misfit = std::max(*law.misfit, std::abs(line / flow.resistance() - 1));
  }
  return law;
}

Json to_json(InertialFlow const& flow, std::optional<double> voxel_size_m) {
  return {{"reynolds_asked", flow.asked_reynolds},
          {"reynolds", flow.reynolds},
          {"k_lattice", flow.k_lattice},
          {"k_mD", or_null(millidarcys(std::optional(flow.k_lattice), voxel_size_m))},
          {"velocity_over_viscosity_lattice", flow.velocity_over_viscosity},
          {"velocity_over_viscosity_per_m",
           or_null(per_metre(flow.velocity_over_viscosity, voxel_size_m))},
          {"mach", flow.mach},
          {"relaxation_time", flow.relaxation_time},
          {"precision", name_in(precision_names, flow.precision)},
          {"error_estimate", flow.error_estimate},
          {"steps", flow.steps},
          {"state", state_of(flow)}};
}

Json to_json(ForchheimerLaw const& law, std::optional<double> voxel_size_m) {
  return {{"k_lattice", law.k_lattice},
          {"k_mD", or_null(millidarcys(std::optional(law.k_lattice), voxel_size_m))},
          {"beta_lattice", law.beta},
          {"beta_per_m", or_null(per_metre(law.beta, voxel_size_m))},
          {"misfit", or_null(law.misfit)},
          {"flows", law.flows}};
}

void write_inertial_csv(std::filesystem::path const& path, std::span<InertialFlow const> flows,
                        std::optional<double> voxel_size_m) {
  std::string text =
      "reynolds_asked,reynolds,k_lattice,k_mD,velocity_over_viscosity_lattice,mach,"
      "relaxation_time,precision,error_estimate,steps,state\n";
  for (InertialFlow const& f : flows) {
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{}\n", f.asked_reynolds, csv_number(f.reynolds),
        csv_number(f.k_lattice), csv_number(millidarcys(std::optional(f.k_lattice), voxel_size_m)),
        csv_number(f.velocity_over_viscosity), csv_number(f.mach), f.relaxation_time,
        name_in(precision_names, f.precision), csv_number(f.error_estimate), f.steps, state_of(f));
  }
  write_whole_file(path, text);
}

void print_inertial(std::span<InertialFlow const> flows, double k_darcy,
                    std::optional<ForchheimerLaw> const& law, std::optional<double> voxel_size_m) {
  double const unit = millidarcys(std::optional(1.0), voxel_size_m).value_or(1);
  char const* const in = voxel_size_m ? "mD" : "voxels^2";
  fmt::print("{:>10}  {:>14}  {:>8}  {:>7}  {:>7}  state\n", "Re", fmt::format("k in {}", in),
             "of Darcy", "Ma", "steps");
  fmt::print("{:>10}  {:>14.6g}  {:>8.4f}  {:>7}  {:>7}  minres\n", "creeping", k_darcy * unit, 1.0,
             "", "");
  for (InertialFlow const& f : flows) {
    fmt::print("{:>10.4g}  {:>14.6g}  {:>8.4f}  {:>7.4f}  {:>7}  {}\n", f.reynolds,
               f.k_lattice * unit, f.k_lattice / k_darcy, f.mach, f.steps, state_of(f));
  }
  if (!law) {
    fmt::print("no Forchheimer law: fewer than two flows whose inertia takes 1 % or more\n");
    return;
  }
  std::string const beta = voxel_size_m ? fmt::format("{:.5g} /m", law->beta / *voxel_size_m)
                                        : fmt::format("{:.5g} /voxel", law->beta);
  std::string const fit =
      law->misfit ? fmt::format("{} flows within {:.2g} %", law->flows, 100 * *law->misfit)
                  : "two flows: that it fits others, three would tell";
  fmt::print("Forchheimer: k = {:.6g} {}, beta = {}, through {}\n", law->k_lattice * unit, in, beta,
             fit);
}

}  // namespace tessera
