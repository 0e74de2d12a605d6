// SPDX-License-Identifier: MIT
// Tessera as a library: flow through segmented images. What the program `tessera` computes, by the
// same code, from voxels in the caller's memory.
//
// Options have the names and the meaning of the options of the program's commands (`tessera
// permeability --help`), and the same values without being set. All functions throw
// std::invalid_argument where the input is at fault, with one line that says what, where and what
// was expected, std::bad_alloc where memory does not suffice, and std::runtime_error where anything
// else fails. They may be called from any thread, and take turns.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#define TESSERA_API __attribute__((visibility("default")))

namespace tessera {

/// An array as NumPy has it, im[z, y, x]: its last axis is the program's x.
struct VoxelArray {
  void const* data = nullptr;
  std::array<std::int64_t, 3> shape{};  ///< z, y, x
  std::string type = "uint8";           ///< of its elements: "bool", "uint8", "float32", ...
  bool first_axis_fastest = false;      ///< as Fortran has it; else as C
  /// What messages call the program's x, y and z.
  std::array<std::string, 3> axis_names{"x", "y", "z"};
};

/// Which values of an image are pore.
struct Labels {
  std::optional<std::string> pore{};  ///< labels, "0,3-5"; unset: 0; a boolean array needs it
  std::string solid{};                ///< labels; empty: the one label that is not pore
  /// "120": grey values below are pore; ">120"; empty: labels. Of a permeability also "110..130".
  std::string threshold{};
  /// Labels, or grey values, of what lies beyond the sample, as the air around a core: neither in
  /// its porosity nor in its cross-section.
  std::string outside{};
};

/// A creeping flow through an image.
struct RockFlowOptions {
  Labels labels{};
  std::string voxel_size{};        ///< "2.25um"; empty: lattice units
  std::string axis = "x";          ///< of the flow: "x", "y", "z" or "all"
  bool periodic = false;           ///< the image wraps along all axes
  bool mirror = false;             ///< the image and its mirror image along the flow, sealed sides
  std::int64_t buffer_layers = 5;  ///< of fluid at inlet and outlet of a sealed sample
  std::string precision = "single";  ///< or "double"; "half" where a flow takes steps
  double tolerance = 1e-3;           ///< relative error of the permeability
  int gpus = -1;                     ///< -1: all that shorten a step; 0: cores
  std::string cores = "auto";        ///< or a number
  std::string scheduler{};           ///< StarPU's policy; empty: chosen
};

struct PermeabilityOptions {
  RockFlowOptions flow{};
  std::string lattice = "D3Q19";  ///< or "D2Q9", "D3Q13", "D3Q15", "D3Q27"
  std::string collision = "trt";
  std::string equilibrium{};  ///< empty: what is usual for the operator
  double magic = 3.0 / 16.0;
  std::optional<double> relaxation_time{};
  std::optional<double> body_force{};
  std::string solver = "auto";  ///< or "minres", "steps"
  std::int64_t max_steps = 1'000'000;
  int refine = 0;                   ///< 2 or 3: also what the voxels leave open
  std::vector<std::string> grey{};  ///< "2=5mD": labels of porous voxels, their permeability
  /// "mD": the image's values are permeabilities in this unit ("voxels": squared); 0 is solid.
  std::string grey_values{};
  bool slip = false;                     ///< also what slip at the walls would add to k
  std::string gas{};                     ///< "nitrogen": slip, and b of Klinkenberg's k (1 + b/p)
  std::optional<double> temperature{};   ///< of the gas, kelvin; none: 293.15
  std::optional<std::string> balance{};  ///< "static", "dynamic" or "free"
  std::optional<int> tiles{};
  std::optional<int> steps_per_sweep{};
  bool fields = true;       ///< false: k alone, sooner
  double viscosity = 1e-6;  ///< kinematic, of the fields' fluid, m^2/s
  double density = 1000;    ///< kg/m^3
};

/// How far a computation is.
struct Stage {
  char axis = 'x';          ///< of the flow; sub-volumes: ' '
  std::int64_t done = 0;    ///< steps, iterations or sub-volumes
  std::int64_t of = 0;      ///< sub-volumes; else 0: nobody knows
  double k_lattice = 0;     ///< so far, voxels squared
  double error = 0;         ///< its relative error so far
  double tolerance = 0;     ///< that it has to come to
  bool iterations = false;  ///< else steps
};
/// Called as often as there is something to say, also without any news; false ends the computation
/// soon. From the thread that computes, or others of its own, one at a time.
using Watch = std::function<bool(Stage const* news)>;

/// The state of a flow on the voxels of its image, x fastest, in SI units, or lattice units where
/// the edge of a voxel has not been said; 0 in solid.
struct FlowFields {
  std::array<std::int64_t, 3> shape{};  ///< z, y, x
  float const* velocity = nullptr;      ///< along x, y, z of each voxel, m/s
  float const* pressure = nullptr;      ///< Pa, without the mean gradient that drives the flow
  float const* density = nullptr;       ///< kg/m^3
  std::shared_ptr<void const> keeper;   ///< while there is one, they are there
};

/// What has been found along an axis: k[a] is the mean velocity along a by the force along `axis`.
struct AxisPermeability {
  char axis = 'x';
  std::array<double, 3> k_lattice{};  ///< along x, y, z; voxels squared
  std::optional<double> error;        ///< relative, that the solver leaves, by its estimate
  bool converged = false;
  std::optional<FlowFields> fields;
  std::function<void(std::string const& path)> write_fields;  ///< as VTKHDF, for ParaView
};

struct Permeability {
  std::vector<AxisPermeability> axes;
  std::vector<std::string> warnings;
  bool interrupted = false;  ///< Watch has returned false
  std::string results;       ///< results.json (docs/formats.md)
  std::string convergence;   ///< convergence.csv
};

/// The permeability of an image: `tessera permeability`.
TESSERA_API Permeability permeability(VoxelArray const& image, PermeabilityOptions const& options,
                                      Watch const& watch = {});

struct RevOptions {
  RockFlowOptions flow{};
  std::vector<std::int64_t> edges{};  ///< of the cubes, in voxels
  std::int64_t samples = 20;          ///< cubes of each edge
  std::uint64_t seed = 1;             ///< chooses where they are
  std::vector<std::string> grey{};    ///< as PermeabilityOptions has it
  std::string grey_values{};          ///< so, too
  /// Effective conductivities instead of permeabilities, by `conductivity` or of what is pore.
  bool diffusion = false;
  std::vector<std::string> conductivity{};  ///< "0=1", "1,3-4=0.05", as DiffusionOptions has it
};

struct SubVolumes {
  std::string csv;  ///< a line for each (docs/formats.md)
  std::string results;
  std::vector<std::string> warnings;
  bool interrupted = false;
};

/// Permeabilities of many cubes out of an image: `tessera rev`.
TESSERA_API SubVolumes sub_volumes(VoxelArray const& image, RevOptions const& options,
                                   Watch const& watch = {});

/// Several flows through one image.
struct Study {
  std::string results;  ///< results.json (docs/formats.md)
  std::vector<std::string> warnings;
  bool interrupted = false;  ///< Watch has returned false
  bool complete = false;     ///< all were computed, and have an answer
};

struct ForchheimerOptions {
  RockFlowOptions flow{.precision = {}};  ///< without a precision it is chosen: single, or double
  std::vector<double> reynolds{};         ///< of the mean pore velocity and the hydraulic diameter
  std::int64_t max_steps = 1'000'000;     ///< the flow at a Reynolds number ends here at last
};

/// Apparent permeabilities at several Reynolds numbers: `tessera forchheimer`.
TESSERA_API Study forchheimer(VoxelArray const& image, ForchheimerOptions const& options,
                              Watch const& watch = {});

struct PhasesOptions {
  RockFlowOptions flow{};            ///< flow.labels.solid is needed, and no pore
  std::vector<std::string> phase{};  ///< "water=0", "oil=1,3-4": a fluid and its labels
};

/// Relative permeabilities of frozen phases: `tessera phases`.
TESSERA_API Study phases(VoxelArray const& image, PhasesOptions const& options,
                         Watch const& watch = {});

struct DiffusionOptions {
  RockFlowOptions flow{};  ///< mirrored ends are open ends: the problem is the same
  std::vector<std::string> conductivity{};  ///< "0=1", "1,3-4=0.05"; none: what is pore conducts 1
  bool values_conduct = false;              ///< the image's values are conductivities
  std::optional<double> diffusivity{};      ///< m^2/s of what conducts 1
  int refine = 0;                           ///< 2 or 3: also what the voxels leave open
  std::int64_t max_iterations = 10'000;
  bool fields = true;  ///< false: the answers alone, sooner
};

/// What is on the voxels of an image, x fastest; 0 where nothing conducts or leads through.
struct DiffusionFields {
  char axis = 'x';
  std::array<std::int64_t, 3> shape{};   ///< z, y, x
  float const* concentration = nullptr;  ///< 1 on the face before the image, 0 on that behind it
  float const* flux = nullptr;           ///< along x, y, z of each voxel, of a mean gradient of 1
  std::shared_ptr<void const> keeper;    ///< while there is one, they are there
};

struct Diffusion : Study {
  std::vector<DiffusionFields> fields;  ///< of each axis, if they were asked for
};

/// Effective diffusivity, formation factor, tortuosity: `tessera diffusion`.
TESSERA_API Diffusion diffusion(VoxelArray const& image, DiffusionOptions const& options,
                                Watch const& watch = {});

struct GeneratedImage {
  std::array<std::int64_t, 3> shape{};  ///< z, y, x
  std::vector<std::uint8_t> pore;       ///< 1 pore, 0 solid
};

/// A case file, and what replaces or completes it.
struct CaseRequest {
  std::string file;              ///< TOML (docs/case-files.md)
  std::string folder;            ///< that the case names files from; empty: its own
  std::vector<std::string> set;  ///< "N=64": values in place of the file's
  std::string out;               ///< folder for the results; made if need be
  bool resume = false;           ///< from the checkpoint there, if there is one
  /// Functions that formulas may call, by the names caller_0, caller_1, ...; by any thread, one at
  /// a time.
  std::vector<std::function<double(double const* arguments, int count)>> functions;
  std::int64_t look_every = 0;  ///< steps; 0: never
};

/// The state of a case at a step.
struct CaseLook {
  std::int64_t step = 0;
  double time = 0;  ///< s, or steps where the case is in lattice units
  FlowFields fields;
  /// The last measurement of each of output.forces, in lattice units.
  std::vector<std::pair<std::string, std::array<double, 3>>> forces;
};
/// False ends the run.
using LookAtCase = std::function<bool(CaseLook const&)>;

struct CaseRun {
  std::string results;  ///< results.json, which is in the folder, too
  std::vector<std::string> warnings;
  bool interrupted = false;
  std::optional<FlowFields> fields;  ///< of the last step; none of a flow that diverged
};

/// The flow of a case: `tessera run`.
TESSERA_API CaseRun run_case(CaseRequest const& request, Watch const& watch = {},
                             LookAtCase const& look = {});

/// `tessera generate`: the kind of image and its options as words, {"spheres", "--size", "100"}.
TESSERA_API GeneratedImage generate(std::vector<std::string> const& words);

/// What is in an image, as JSON: porosity, components, porosity of what leads through, and what its
/// permeability would take.
TESSERA_API std::string info(VoxelArray const& image, Labels const& labels);

/// "0.1.0"
TESSERA_API std::string version_text();

}  // namespace tessera
