// SPDX-License-Identifier: MIT
#include "methods/diffusion/diffusion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "methods/diffusion/least_eigenvalue.hpp"
#include "methods/diffusion/make_space.hpp"

namespace tessera {

Conductor conductor_of(Geometry geometry) {
  Conductor conductor{.labels = geometry.pore};
  conductor.of_label[1] = 1;
  std::ranges::copy(geometry.of_grey, conductor.of_label.begin() + 2);
  conductor.geometry = std::move(geometry);
  return conductor;
}

namespace steady::diffusion {

double least_eigenvalue(std::span<double const> products, std::span<double const> squares) {
  std::size_t const n = products.size();
  std::vector<double> diagonal(n), beside(n);  // beside: squares of the elements beside it
  double before = 0;                           // beta / alpha of the iteration before
  for (std::size_t k = 0; k < n; ++k) {
    if (!(products[k] > 0 && squares[k] > 0)) {
      diagonal.resize(k);
      break;
    }
    double const inverse_alpha = products[k] / squares[k];
    diagonal[k] = inverse_alpha + before;
    double const beta = squares[k + 1] / squares[k];
    before = beta * inverse_alpha;
    if (k + 1 < n) beside[k + 1] = beta * inverse_alpha * inverse_alpha;
  }
  if (diagonal.empty()) return 1;
  // Sturm: how many eigenvalues are below x, by the signs of the pivots of T - x.
  auto const is_below_all = [&](double x) {
    double pivot = diagonal[0] - x;
    for (std::size_t k = 1; k < diagonal.size() && pivot > 0; ++k)
      pivot = diagonal[k] - x - beside[k] / pivot;
    return pivot > 0;
  };
  double low = 0;
  double high = *std::ranges::min_element(diagonal);
  for (int k = 0; k < 50; ++k) {
    double const middle = (low + high) / 2;
    (is_below_all(middle) ? low : high) = middle;
  }
  return high;
}

}  // namespace steady::diffusion

std::unique_ptr<DiffusionSpace> make_diffusion_space(Conductor const& conductor,
                                                     std::optional<Axis> open,
                                                     SteadyOptions const& options) {
  if (open && conductor.geometry.periodic[index_of(*open)])
    throw BadInput("diffusion: expected an open axis around which the box does not wrap");
  return options.device == SteadyDevice::gpu
             ? steady::diffusion::make_gpu_space(conductor, open, options)
             : steady::diffusion::make_cores_space(conductor, open, options);
}

DiffusionResult solve(DiffusionSolver& solver, double tolerance, DiffusionControl const& control) {
  constexpr int look = 2;
  DiffusionResult result;
  DiffusionEstimate& estimate = result.estimate;
  auto const run = [&](char const* name, std::function<void()> const& work) {
    control.run_piece ? control.run_piece(name, work) : work();
  };
  auto const goes_on = [&] {
    return !(control.stop && control.stop()) && !estimate.broken &&
           estimate.iterations < control.limit;
  };
  while (!result.confirmed && goes_on()) {
    do {
      int const count = std::min(look, control.limit - estimate.iterations);
      run("iterate", [&] { estimate = solver.iterate(count); });
    } while (goes_on() && !(estimate.error_estimate < tolerance));
    if (estimate.broken) break;
    run("confirm", [&] { estimate = solver.confirm(); });
    result.confirmed = !estimate.broken && estimate.error_estimate < tolerance;
  }
  return result;
}

}  // namespace tessera
