// SPDX-License-Identifier: MIT
// Steady diffusion, or conduction, through voxels of different conductivities: div(s grad V) = 0 by
// the usual seven points. Conjugate gradients, preconditioned with the multigrid of
// methods/steady/.
//
// A face between two voxels conducts the harmonic mean 2 s_i s_j / (s_i + s_j), an end of the box,
// half a voxel away from the first layer, 2 s_i. The potential has a mean gradient of 1 along an
// axis; V is what it differs by from a linear one. The energy
//   K(V) = sum over faces of g (step + V_j - V_i)^2 / volume
// (where edges h of voxels differ, times h^2 along the axis over h^2 across the face)
// is least for the solution, where it is the effective conductivity: an iterate's K is above it, by
// the square of the iterate's error.
//
// Hestenes, Stiefel, J. Res. NBS 49 (1952) 409.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/box.hpp"
#include "base/machine/uninitialised.hpp"
#include "geometry/geometry.hpp"
#include "methods/steady/steady_options.hpp"

namespace tessera {

/// What conducts: a value for each voxel by its label, or one for each voxel.
struct Conductor {
  Geometry geometry;  ///< pore: which voxels conduct; the others' conductivities do not matter
  std::array<double, 256> of_label{};
  std::vector<std::uint8_t> labels;  ///< of voxels
  std::vector<double> values;        ///< of voxels; empty: by their labels
  /// Edges of a voxel along x, y and z, in any unit.
  std::array<double, 3> edges{1, 1, 1};
};

/// A conductor by kinds of voxels: pores conduct 1, grey ones what Geometry::of_grey says.
Conductor conductor_of(Geometry geometry);

/// What is known after some iterations.
struct DiffusionEstimate {
  int iterations = 0;         ///< in all, those before a restart too
  int since_restart = 0;      ///< iterations since the last restart
  double conductivity = 0;    ///< K: effective conductivity along the axis, of the sample
  double error_estimate = 1;  ///< relative error of it, which is above the true one by as much
  double residual = 1;        ///< norm relative to that at the start, in the preconditioner
  bool broken = false;        ///< not a number, or a preconditioner that is not positive
};

/// At a voxel: V, and the flux along x, y and z towards larger potentials, of a gradient of 1.
using DiffusionState = std::array<float, 4>;

class DiffusionSolver {
 public:
  virtual ~DiffusionSolver() = default;
  /// Iterates `count` times more and returns the estimate.
  virtual DiffusionEstimate iterate(int count) = 0;
  /// Takes the energy and the residual of the state in double, and restarts from there.
  virtual DiffusionEstimate confirm() = 0;
  /// The state of the own nodes, in the order of DiffusionSpace::voxels().
  virtual Uninitialised<DiffusionState> fields() = 0;
};

/// What the flows along the axes of a box share. It outlives its solvers; one computes at a time.
class DiffusionSpace {
 public:
  virtual ~DiffusionSpace() = default;
  virtual std::int64_t nodes() const = 0;
  virtual double bytes_per_node() const = 0;
  /// The voxel (linear_index) of each own node.
  virtual Uninitialised<std::int64_t> voxels() = 0;
  virtual std::vector<CoreUse> uses() const { return {}; }
  /// Along the open axis, or along one around which the box wraps; else throws BadInput.
  virtual std::unique_ptr<DiffusionSolver> solver(Axis axis) = 0;
};

/// `open`: the axis along which both ends of the box have a given potential; other sides that do
/// not wrap around let nothing through. Throws BadInput where nothing conducts or a conductivity is
/// not above 0, EnvironmentError where the device is missing. Several processes make one together.
std::unique_ptr<DiffusionSpace> make_diffusion_space(Conductor const& conductor,
                                                     std::optional<Axis> open,
                                                     SteadyOptions const& options);

struct DiffusionResult {
  DiffusionEstimate estimate;
  bool confirmed = false;  ///< the error estimate of an assembled state is below the tolerance
};
/// How solve() goes about it.
struct DiffusionControl {
  int limit = 10'000;  ///< iterations
  /// Runs each piece of the work, which has a name; none: in the calling thread.
  std::function<void(char const* name, std::function<void()> const& work)> run_piece{};
  std::function<bool()> stop{};  ///< ends it early; all processes have to say the same
};
/// Iterates until the result is confirmed, or something ends it.
DiffusionResult solve(DiffusionSolver& solver, double tolerance,
                      DiffusionControl const& control = {});

}  // namespace tessera
