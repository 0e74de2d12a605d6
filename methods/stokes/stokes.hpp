// SPDX-License-Identifier: MIT
// Steady Stokes flow through a pore space without stepping towards it: preconditioned MINRES on the
// symmetric form of the lattice Boltzmann step.
//
// A step is g' = C R P g + F in populations g after the collision: P swaps the two populations of a
// link, R those of opposite velocities in a node, C collides (TRT, linear equilibrium), F is the
// body force. Its fixed point solves M g = F with M = P - R C^-1, which is symmetric in the inner
// product <a,b> = sum a_q b_q / w_q. The permeability is the functional <F,g> of the solution, and
// K(g) = <F,g> + <g, F - M g> has an error of second order in that of g. The relaxation time is 1
// (k does not depend on it), where a node has 10 unknowns: its density and 9 odd halves.
//
// MINRES: Paige, Saunders, SIAM J. Numer. Anal. 12 (1975) 617; with a preconditioner: Elman,
// Silvester, Wathen, Finite Elements and Fast Iterative Solvers, section 4.1.
//
// The force is 1 in lattice units: the equations are linear.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "base/machine/uninitialised.hpp"
#include "base/storage.hpp"
#include "geometry/geometry.hpp"
#include "methods/steady/steady_options.hpp"

namespace tessera {

struct StokesOptions : SteadyOptions {
  double magic = 3.0 / 16;                            ///< TRT's Lambda
  Precision precision = Precision::single_precision;  ///< of vectors; sums are in double
  /// Permeabilities, in voxels squared, of grey voxels: those of Geometry::pore 2, 3 and so on.
  /// With any, vectors are in single precision.
  std::vector<double> grey{};
  bool keeps_odd_halves = false;  ///< for StokesSolver::odd_halves()
};

/// What is known of the flow along an axis after some iterations.
struct StokesEstimate {
  int iterations = 0;     ///< in all, those before a restart too
  int since_restart = 0;  ///< iterations since the last restart
  /// The sum of velocities along the axis over all nodes, for a force of 1: k = nu U / (V g) at
  /// nu = 1/6. From the functional K (error of second order) and from L = <F,g>.
  double quadratic = 0;
  double linear = 0;
  /// Relative error of `quadratic`: max(|K - L|, |K - K six iterations ago|, 3 <r, H r>) / (3 U), H
  /// the preconditioner; at least the rounding error of sums in double.
  double error_estimate = 1;
  /// Norm of the residual relative to the norm at the start, in the inverse of the preconditioner.
  double residual = 1;
  /// Bytes that the passes had to move, as steps of usual_step_bytes a node.
  double step_equivalents = 0;
  /// Not a number, or a norm whose square is negative: the whole estimate is invalid.
  bool broken = false;
};

/// The assembled state, evaluated without any sum of the iteration.
struct StokesConfirmation {
  double quadratic = 0;     ///< K(g) of the assembled state, its residual taken in double
  double linear = 0;        ///< <F,g> of the assembled state
  double residual = 0;      ///< true |F - M g| against |F|, in the inverse of the preconditioner
  double expected = 0;      ///< `residual` as the recurrence gives it
  double error = 0;         ///< relative error of `quadratic`, by that residual and rounding
  double slice_spread = 0;  ///< largest difference of two slices' fluxes over their mean
  /// Mean square deviation of slices' fluxes from their mean, relative, weighted by each slice's
  /// resistance to Darcy's flow: the excess dissipation where pressures have not settled along the
  /// axis.
  double slice_excess = 0;
  /// Drag on the walls over the driving force: 1 - <F,r>/<F,F>, as <F, M g> is the momentum that
  /// walls take in a step.
  double force_balance = 0;
  bool broken = false;
};

/// The nodes of a process.
struct StokesShare {
  std::int64_t nodes = 0;   ///< own ones
  std::int64_t others = 0;  ///< nodes of other processes that the own ones read
  RankTraffic traffic;
};

/// Density shift and velocity of a node, for a force of 1: {rho - 1, u_x, u_y, u_z}. Each pore
/// space's density has the mean 0.
using StokesState = std::array<double, 4>;

/// Sums over the nodes of all processes, for a force of 1.
struct StokesSums {
  double density = 0;                ///< shifts of the density, of all nodes
  double nodes = 0;                  ///< number in the box
  std::array<double, 3> velocity{};  ///< of the nodes in the box
  double largest_speed = 0;          ///< of all nodes, times the scale
};

/// (g_q - g_o) / 2 of a node's populations after the collision, for a force of 1: of each pair of
/// opposite velocities q = 2 k + 1 and o = q + 1, k = 0 ... 8.
using StokesOddHalves = std::array<float, 9>;

/// One flow, along one axis. Where several processes compute (base/ranks/), all of them call the
/// same functions in the same order, and get the same results.
class StokesSolver {
 public:
  virtual ~StokesSolver() = default;

  /// Iterates `count` times more and returns the estimate.
  virtual StokesEstimate iterate(int count) = 0;
  virtual StokesEstimate estimate() const = 0;
  /// Assembles the state, takes its residual in double and restarts from there: in single precision
  /// this removes the rounding. May be called at any time.
  virtual StokesConfirmation confirm() = 0;
  /// Density shift and velocity of the own nodes, in the order of StokesSpace::voxels().
  virtual Uninitialised<StokesState> fields() = 0;
  /// Sums of that state over the nodes, some of them over those in a box of voxels; speeds times
  /// `scale`, and rounded as visits of nodes have them. The bits depend on no machine.
  virtual StokesSums sums(Int3 lower, Int3 upper, double scale) = 0;
  /// Odd halves of the own nodes, in the same order, of the state that was confirmed last; only if
  /// the space keeps them.
  virtual Uninitialised<StokesOddHalves> odd_halves() = 0;
  /// Saves all that the next iterations depend on; restored into a solver of the same space and
  /// axis, of any number of processes, it gives the same bits. `take` is called on rank 0, piece by
  /// piece.
  using TakeBytes = std::function<void(std::span<std::byte const>)>;
  virtual void save(TakeBytes const& take) = 0;
  virtual std::size_t saved_bytes() = 0;
  /// read(at, to) fills `to` with what was saved from byte `at` on.
  using ReadBytes = std::function<void(std::size_t at, std::span<std::byte> to)>;
  /// Restores a saved state. Returns whether iterations can lead to it; if not, the solver cannot
  /// be used any more.
  virtual bool restore(ReadBytes const& read) = 0;
  /// Saves and restores in one piece. Throws BadInput if the piece has another size, or iterations
  /// cannot lead to its state.
  std::vector<std::byte> saved();
  void restore_saved(std::span<std::byte const> saved);
};

/// What the flows along all axes share: nodes, links, mobility, multigrid.
class StokesSpace {
 public:
  virtual ~StokesSpace() = default;

  virtual std::int64_t nodes() const = 0;
  /// Number of connected components of the pores.
  virtual std::int64_t parts() const = 0;
  /// The voxel (linear_index) of each own node.
  virtual Uninitialised<std::int64_t> voxels() = 0;
  /// Bytes of memory for the space and one solver, per node.
  virtual double bytes_per_node() const = 0;
  /// How many GPUs compute; 0: cores compute.
  virtual int gpus() const { return 0; }
  /// How busy each core is; empty on GPUs.
  virtual std::vector<CoreUse> uses() const { return {}; }
  /// The share of the space that this rank computes, and its messages.
  virtual StokesShare share() = 0;
  /// The box must wrap around along the axis, else throws BadInput. The space outlives its solvers;
  /// one solver computes at a time.
  virtual std::unique_ptr<StokesSolver> solver(Axis axis) = 0;
};

/// All pore voxels of the geometry are nodes. Throws BadInput where a part of the pore space has no
/// wall (nothing would resist its flow) or there is no pore at all, EnvironmentError where the
/// device is missing. Several processes (base/ranks/) make one together, and have a range of its
/// nodes each; no bit depends on their number.
std::unique_ptr<StokesSpace> make_stokes_space(Geometry const& geometry,
                                               StokesOptions const& options);

/// Whether the assembled state agrees with the recurrence, to this relative tolerance of the
/// functional: the functional of the state itself, its true residual, the fluxes through slices.
bool confirms(StokesConfirmation const& state, StokesEstimate const& said, double tolerance);

/// Whether to assemble the state: the error estimate is below the tolerance, and since a state that
/// was not confirmed there were enough iterations for another result. A restart begins without the
/// vectors that were found before.
bool worth_confirming(StokesEstimate const& estimate, double tolerance);

/// Iterates until the error estimate is below the tolerance and the assembled state confirms it,
/// at most `limit` times. `confirmed` says whether it did.
struct StokesResult {
  StokesEstimate estimate;
  StokesConfirmation confirmation;
  bool confirmed = false;
};
StokesResult solve(StokesSolver& solver, double tolerance, int limit);

}  // namespace tessera
