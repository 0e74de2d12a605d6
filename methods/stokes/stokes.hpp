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

namespace tessera {

/// Runs part(begin, end) on disjoint ranges that cover [0, count), on any threads, and returns when
/// all are done. No result depends on the ranges.
using RangeRunner =
    std::function<void(std::int64_t count, std::function<void(std::int64_t, std::int64_t)> const&)>;

enum class StokesDevice : std::uint8_t { cores, gpu };

struct StokesOptions {
  double magic = 3.0 / 16;                            ///< TRT's Lambda
  Precision precision = Precision::single_precision;  ///< of vectors; sums are in double
  StokesDevice device = StokesDevice::cores;
  /// Their numbers, if there are GPUs to be used; none: the one that is current. They must reach
  /// each other's memory. Same bits for any number.
  std::vector<int> gpus;
  std::int64_t spread_above = 1 << 20;  ///< nodes or rows that are worth more GPUs than one
  /// Rows of a coarse level up to which it is small: all processes compute it, and its sums are
  /// rounded otherwise.
  std::int64_t small_level = 1 << 17;
  int threads = 1;     ///< cores; not used where `runner` is given
  RangeRunner runner;  ///< cores: runs the passes
};

/// What is known of the flow along an axis after some iterations.
struct StokesEstimate {
  int iterations = 0;     ///< in all, those before a restart too
  int since_restart = 0;  ///< of them
  /// The sum of velocities along the axis over all nodes, for a force of 1: k = nu U / (V g) at
  /// nu = 1/6. From the functional K (error of second order) and from L = <F,g>.
  double quadratic = 0;
  double linear = 0;
  /// Relative, of `quadratic`: max(|K - L|, |K - K six iterations ago|, 3 <r, H r>) / (3 U), H the
  /// preconditioner; not below what rounding leaves of sums in double.
  double error_estimate = 1;
  /// Norm of the residual against that at the start, in the inverse of the preconditioner.
  double residual = 1;
  /// Bytes that the passes had to move, as steps of 152 B a node.
  double step_equivalents = 0;
  /// Not a number, or a norm whose square is negative: nothing of this is to be believed.
  bool broken = false;
};

/// The state put together, and what it says without any sum of the iteration.
struct StokesConfirmation {
  double quadratic = 0;     ///< K(g) of the assembled state, its residual taken in double
  double linear = 0;        ///< <F,g> of the assembled state
  double residual = 0;      ///< true |F - M g| against |F|, in the inverse of the preconditioner
  double expected = 0;      ///< what the recurrence says of it
  double error = 0;         ///< relative, of `quadratic`: what that residual and rounding leave
  double slice_spread = 0;  ///< largest difference of two slices' fluxes over their mean
  /// Mean square of what slices' fluxes are off their mean, relative, each slice by its resistance
  /// to Darcy's flow: what is dissipated in excess where pressures have not settled along the axis.
  double slice_excess = 0;
  /// Drag on the walls over the driving force: 1 - <F,r>/<F,F>, as <F, M g> is the momentum that
  /// walls take in a step.
  double force_balance = 0;
  bool broken = false;
};

/// What this process has of a space that several share, and what it has sent so far.
struct StokesTraffic {
  std::int64_t messages = 0;        ///< to those whose nodes or rows are beside the own ones
  std::int64_t bytes = 0;           ///< in them
  std::int64_t gathers = 0;         ///< of what all then have: sums, small levels
  std::int64_t gathered_bytes = 0;  ///< that came here in them
};
struct StokesShare {
  std::int64_t nodes = 0;   ///< own ones
  std::int64_t others = 0;  ///< of other processes, that the own ones read
  StokesTraffic traffic;
};

/// What a core did so far: passes, or parts of them, the nodes or rows in these, and its time.
struct StokesUse {
  std::int64_t passes = 0;
  std::int64_t items = 0;
  double busy_s = 0;
};

/// Density shift and velocity of a node, for a force of 1: {rho - 1, u_x, u_y, u_z}. Each pore
/// space's density has the mean 0.
using StokesState = std::array<double, 4>;

/// One flow, along one axis. Where several processes compute (base/ranks/), all of them call the
/// same, in the same order, and are told the same.
class StokesSolver {
 public:
  virtual ~StokesSolver() = default;

  /// Iterates `count` times more and looks.
  virtual StokesEstimate iterate(int count) = 0;
  virtual StokesEstimate estimate() const = 0;
  /// Puts the state together, takes its residual in double and restarts from there: in single
  /// precision this is what removes its rounding. May be called at any time.
  virtual StokesConfirmation confirm() = 0;
  /// Of the own nodes, in the order of StokesSpace::voxels().
  virtual Uninitialised<StokesState> fields() = 0;
  /// All that the next iterations depend on; restored into a solver of the same space and axis, of
  /// any number of processes, it gives the same bits. The first process takes it, piece by piece.
  using TakeBytes = std::function<void(std::span<std::byte const>)>;
  virtual void save(TakeBytes const& take) = 0;
  virtual std::size_t saved_bytes() = 0;
  /// read(at, to): fills it with what was saved from byte `at` on.
  using ReadBytes = std::function<void(std::size_t at, std::span<std::byte> to)>;
  /// Whether that is a state which iterations lead to; else the solver is of no use any more.
  virtual bool restore(ReadBytes const& read) = 0;
  /// The same in one piece. Throws BadInput if it is of another size, or no such state.
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
  /// Memory of the space and of one solver.
  virtual double bytes_per_node() const = 0;
  /// How many GPUs compute; 0: cores do.
  virtual int gpus() const { return 0; }
  /// How busy each core is; empty on GPUs.
  virtual std::vector<StokesUse> uses() const { return {}; }
  /// What of it this rank computes, and what it exchanges.
  virtual StokesShare share() = 0;
  /// The box must wrap around along the axis, else throws BadInput. The space outlives its solvers;
  /// one solver computes at a time.
  virtual std::unique_ptr<StokesSolver> solver(Axis axis) = 0;
};

/// All pore voxels of the geometry are nodes. Throws BadInput where a part of the pore space has no
/// wall (nothing would hold its flow) or there is no pore at all, EnvironmentError where the device
/// is not there. Several processes (base/ranks/) make one together, on cores, and have a range of
/// its nodes each; not a bit depends on their number.
std::unique_ptr<StokesSpace> make_stokes_space(Geometry const& geometry,
                                               StokesOptions const& options);

/// Whether the assembled state is what the recurrence says, to this relative tolerance of the
/// functional: the functional of the state itself, its true residual, the fluxes through slices.
bool confirms(StokesConfirmation const& state, StokesEstimate const& said, double tolerance);

/// Whether the state is worth putting together: the error estimate is below the tolerance, and
/// since a state that was not confirmed there were so many iterations that there may be news. A
/// restart begins without the vectors that were found before.
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
