// SPDX-License-Identifier: MIT
// What a run found, and the files it goes to: results.json, whose keys are stable, and
// convergence.csv. Each struct is one object of results.json.
//
// Values are in SI where the name says so (_m, _m2, seconds, bytes), else in lattice units. What is
// absent (std::nullopt) or not a finite number is written as null.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "base/name_list.hpp"
#include "io/images/image.hpp"

namespace tessera {

/// How the program was called.
struct RunResult {
  std::vector<std::string> command_line;  ///< the words of the command, the program's name first
  std::string folder;                     ///< that relative file names refer to
  std::string host;
  std::string started;             ///< ISO 8601, UTC
  std::vector<std::string> ranks;  ///< who computed where; empty: this process alone
};

/// Labels of grey voxels, and their permeability in voxels squared.
struct GreyResult {
  std::string labels;
  double k_lattice = 0;
};

/// Grey voxels by the values of an image of permeabilities.
struct GreyValuesResult {
  std::string unit;
  std::size_t kinds = 0;                                 ///< different permeabilities
  double rounding = 0;                                   ///< of values to these, at most, relative
  std::optional<std::array<double, 2>> range_lattice{};  ///< least and greatest, if there is any
};

struct ImageResult {
  std::string path;
  Int3 shape;
  std::optional<double> voxel_size_m;  ///< without it there is no k_m2, k_mD and tensor in SI
  std::string sha256;
  std::optional<std::string> voxel_size_from{};  ///< "--voxel-size", or the file's words for it
  // Values of the options of the same names; null where an option was not given.
  std::string dtype{};  ///< of raw images
  std::int64_t header_bytes = 0;
  std::optional<std::string> dataset{};  ///< the array read, in files of several arrays
  std::string axes = "xyz";
  std::optional<Crop> crop{};
  std::optional<std::string> pore{};
  std::optional<std::string> solid{};
  std::optional<std::string> threshold{};
  std::optional<std::string> outside{};
  std::vector<GreyResult> grey{};                 ///< if any voxels are
  std::optional<GreyValuesResult> grey_values{};  ///< if the image's values are permeabilities
  /// JSON: what made the image (io/results/image_origin.hpp); empty: not known.
  std::string generated{};
};

struct PorosityResult {
  double total = 0;                                  ///< of open pores
  std::array<std::optional<double>, 3> percolating;  ///< of the axes that were looked at
  std::optional<double> grey{};                      ///< share of grey voxels, if any may be
  std::optional<double> outside{};  ///< share of the box beyond the sample, if any may be
};

struct FlowResult {
  std::string lattice;
  std::string collision;       ///< in words: operator, magic number, equilibrium
  double relaxation_time = 0;  ///< of the first axis
  std::string precision;
  double body_force_lattice = 0;  ///< of the first axis
  // Settings as asked for, or as chosen where nothing was said.
  std::string axes{};                           ///< x, y, z or all
  std::string setup{};                          ///< sealed, periodic or mirrored
  std::optional<std::int64_t> buffer_layers{};  ///< of a sealed sample
  std::string collision_operator{};
  std::string equilibrium{};
  double magic = 0;
  double tolerance = 0;
  std::int64_t max_steps = 0;
  double kinematic_viscosity_m2_s = 0;  ///< of the fields' fluid
  double density_kg_m3 = 0;             ///< of the fields' fluid
};

/// Methods that find a steady flow, with the names that users know them by.
enum class Solver : std::uint8_t { steps, minres };
inline constexpr NameList<Solver, 2> solver_names{
    {{"steps", Solver::steps}, {"minres", Solver::minres}}};
/// What a solver's progress is counted in: "step", "iteration".
constexpr std::string_view unit_of(Solver solver) {
  return solver == Solver::steps ? "step" : "iteration";
}

/// How the steady flow was found, and what makes it believable.
struct SolverResult {
  Solver kind = Solver::steps;
  std::string reason{};                 ///< why this one, where it was Tessera's choice
  std::optional<double> k_quadratic{};  ///< voxels squared: of the functional whose error is of
                                        ///< second order, if the flow has one
  double k_linear = 0;                  ///< voxels squared: of the flow through the state as it is
  // The following are minres' only.
  std::int64_t iterations = 0;
  double step_equivalents = 0;  ///< its memory traffic, in time steps
  double residual = 0;          ///< true relative residual of the state, computed in double
  double slice_spread = 0;      ///< largest difference of two slices' fluxes over their mean
  bool confirmed = false;       ///< the assembled state agrees with the iteration
};

/// What the voxels leave open of a permeability, in voxels squared: between the staircase of voxels
/// taken literally and a smooth surface through them.
struct VoxelInterval {
  int factor = 0;  ///< each voxel was refined so many times along each axis
  double lower = 0;
  double upper = 0;
  std::vector<double> staircase{};  ///< k with each voxel as 2^3, 3^3, ... voxels
  double smooth = 0;                ///< k of a smooth surface through the voxels
  double pore_volume_doubt = 0;     ///< standard deviation, relative
};

/// What the segmentation leaves open of a permeability, in voxels squared: k at several thresholds.
struct ThresholdInterval {
  std::vector<double> thresholds{};  ///< ascending
  std::vector<double> porosity{};
  std::vector<double> k{};  ///< 0 where nothing leads through
  double lower = 0;
  double upper = 0;
};

/// What slip of a gas at the walls adds to a permeability, to first order.
struct SlipResult {
  double slope = 0;  ///< dk/dl, voxels: k in voxels squared, l the slip length
  std::string gas{};
  double temperature_k = 0;                ///< kelvin, of the gas
  std::optional<double> klinkenberg_pa{};  ///< b of k (1 + b/p), if gas and voxel size are known
};

/// The flow driven along one axis. k_lattice (voxels squared), k_m2 and k_mD are written from
/// `column_lattice` and the voxel size.
struct PermeabilityResult {
  /// The column of the permeability tensor that belongs to this force: nu <u_i> / g in voxels
  /// squared for the velocities along i = x, y, z. The axis' own entry is k_lattice.
  std::array<double, 3> column_lattice{};
  bool converged = false;
  std::int64_t steps = 0;
  double change = 0;  ///< relative change of k over the last interval of the stop rule
  double reynolds = 0;
  double mach = 0;
  std::optional<double> error_estimate;  ///< relative, of k, as extrapolated in steps
  std::optional<double> force_balance;   ///< drag on the walls over the force on the fluid
  std::string stop_reason;
  std::array<double, 3> mean_velocity_lattice{};  ///< superficial
  double relaxation_time = 0;
  double body_force_lattice = 0;
  SolverResult solver{};
  std::optional<VoxelInterval> voxels{};          ///< if it was asked for
  std::optional<ThresholdInterval> thresholds{};  ///< if a range of them was asked for
  std::optional<SlipResult> slip{};               ///< if minres has found it
};

struct WorkerResult {
  std::string name;
  std::string kind;        ///< "CPU" or "CUDA"
  std::int64_t tasks = 0;  ///< of the task graph
  double busy_s = 0;
  double waiting_s = 0;
  double transferring_s = 0;
  std::int64_t nodes = 0;
  std::int64_t passes = 0;  ///< passes of the Krylov solver over nodes or rows; not counted on GPUs
};

/// How the work was shared out and what was changed about that.
struct BalanceResult {
  /// One look at the speeds, or several that followed each other.
  struct Look {
    std::int64_t step = 0;         ///< of the last look
    double seconds = 0;            ///< time of the last look since the flow began
    double imbalance = 0;          ///< slowest domain over the mean, less 1; mean over the looks
    double largest_imbalance = 0;  ///< of a single look
    std::vector<double> speeds;    ///< fluid nodes a second of each domain; mean over the looks
    std::int64_t moves = 0;        ///< sum over the looks
    std::int64_t looks = 1;        ///< number of looks put together here
  };
  std::string policy;   ///< static, dynamic or free
  std::string workers;  ///< why cores compute beside GPUs, or do not
  std::int64_t moves = 0;
  std::int64_t bytes_moved = 0;
  std::int64_t cuts = 0;             ///< how often the lattice was cut anew while it ran
  double cut_seconds = 0;            ///< for which the flow stood still for cuts
  std::int64_t bytes_cut = 0;        ///< of populations, from old tiles to new ones
  std::vector<std::string> domains;  ///< names
  std::vector<Look> looks;
};

/// Checkpoints written by a run, from which a later one can go on.
struct CheckpointsResult {
  std::int64_t written = 0;
  double seconds = 0;      ///< for which the flow stood still for checkpoints
  std::int64_t bytes = 0;  ///< size of the checkpoints kept now
};

struct PerformanceResult {
  std::int64_t fluid_nodes = 0;
  std::int64_t steps = 0;
  double seconds = 0;  ///< of stepping
  double mflups = 0;
  double bytes_per_fluid_node = 0;
  double bandwidth_gbs = 0;
  std::optional<double> bandwidth_fraction;  ///< of the bandwidth measured on this machine
  double imbalance = 0;
  std::vector<WorkerResult> workers;
  std::int64_t tiles = 0;  ///< 0: nothing was computed on tiles
  double prepare_seconds = 0;
  /// Seconds of the parts of the whole command, in their order.
  std::vector<std::pair<std::string, double>> parts;
  double wall_seconds = 0;  ///< since the process began
  std::int64_t peak_memory_bytes = 0;
  BalanceResult balance;
  CheckpointsResult checkpoints;  ///< sums over the axes
};

/// What scripts saw of the running flow, and what that cost; sums over the axes.
struct InSituResult {
  struct ScriptResult {
    std::string name;
    std::vector<std::string> arguments;
  };
  struct Error {
    std::string script;
    std::int64_t step = 0;
    std::string text;
  };
  std::string engine;
  std::int64_t every = 0;  ///< steps
  std::vector<ScriptResult> scripts;
  std::int64_t executions = 0;
  std::int64_t dropped = 0;  ///< frames left out as the one before was not ready
  std::int64_t waited = 0;   ///< frames that the flow waited for
  double waited_s = 0;
  double seconds = 0;      ///< of the analysis, beside the flow
  std::int64_t bytes = 0;  ///< copied out of the populations
  std::vector<Error> errors;
};

struct SoftwareResult {
  std::string version;
  std::string commit;
  std::string starpu;
  std::string metis;
  std::optional<std::string> cuda;
  std::string compiler;
  std::string instruction_set{};  ///< of the kernels on cores; another one may round differently
};

struct Results {
  RunResult run;
  ImageResult image;
  PorosityResult porosity;
  FlowResult flow;
  std::array<std::optional<PermeabilityResult>, 3> permeability;  ///< of the axes that were run
  PerformanceResult performance;
  std::optional<InSituResult> insitu;  ///< with scripts only
  std::vector<std::string> warnings;   ///< as printed
  SoftwareResult software;
};

/// Writes results.json. With all three axes it has permeability.tensor_lattice, tensor_m2 and
/// tensor_mD too: rows are directions of the velocity, columns directions of the force.
/// Throws EnvironmentError; the file is complete or not there.
void write_results(std::filesystem::path const& path, Results const& results);

/// What is known of a flow at one step.
struct ConvergenceSample {
  std::int64_t step = 0;
  Axis axis = Axis::x;  ///< of the force
  double k_lattice = 0;
  std::optional<double> error_estimate;
  std::optional<double> force_balance;
  double mass = 0;                 ///< of all fluid nodes, over its initial value
  std::optional<double> k_linear;  ///< voxels squared: of the flow as it is, not of its functional
};

/// The history of a run as comma-separated values under the header
/// step,axis,k_lattice,k_mD,error_estimate,force_balance,mass,k_linear; what is absent is empty.
std::string convergence_csv(std::span<ConvergenceSample const> samples,
                            std::optional<double> voxel_size_m);

/// Writes convergence_csv() to a file. Throws EnvironmentError; the file is complete or not there.
void write_convergence_csv(std::filesystem::path const& path,
                           std::span<ConvergenceSample const> samples,
                           std::optional<double> voxel_size_m);

}  // namespace tessera
