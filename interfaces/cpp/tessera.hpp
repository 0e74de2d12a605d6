// SPDX-License-Identifier: MIT
// Tessera as a library: flow through segmented images. What the program `tessera` computes, by the
// same code, from voxels in the caller's memory.
//
// Options are those of the program's commands, word by word: {"--axis", "all", "--tolerance",
// "1e-4"}; options that name files are refused. All functions throw std::invalid_argument where the
// input is at fault, with one line that says what, where and what was expected,
// std::bad_alloc where memory does not suffice, and std::runtime_error where anything else fails.
// They may be called from any thread, and take turns.
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
  std::optional<double> error;        ///< of the solver, relative, by its estimate
  bool converged = false;
  std::optional<FlowFields> fields;
  std::function<void(std::string const& path)> write_fields;  ///< as VTKHDF, for ParaView
};

struct Permeability {
  std::vector<AxisPermeability> axes;
  std::vector<std::string> warnings;
  bool interrupted = false;  ///< by who watches
  std::string results;       ///< results.json (docs/formats.md)
  std::string convergence;   ///< convergence.csv
};

/// The permeability of an image: `tessera permeability`.
TESSERA_API Permeability permeability(VoxelArray const& image,
                                      std::vector<std::string> const& options,
                                      Watch const& watch = {});

struct SubVolumes {
  std::string csv;  ///< a line for each (docs/formats.md)
  std::string results;
  std::vector<std::string> warnings;
  bool interrupted = false;
};

/// Permeabilities of many cubes out of an image: `tessera rev`.
TESSERA_API SubVolumes sub_volumes(VoxelArray const& image, std::vector<std::string> const& options,
                                   Watch const& watch = {});

/// Several flows through one image.
struct Study {
  std::string results;  ///< results.json (docs/formats.md)
  std::vector<std::string> warnings;
  bool interrupted = false;  ///< by who watches
  bool complete = false;     ///< all were computed, and have an answer
};

/// Apparent permeabilities at several Reynolds numbers: `tessera forchheimer`.
TESSERA_API Study forchheimer(VoxelArray const& image, std::vector<std::string> const& options,
                              Watch const& watch = {});

/// Relative permeabilities of frozen phases: `tessera phases`.
TESSERA_API Study phases(VoxelArray const& image, std::vector<std::string> const& options,
                         Watch const& watch = {});

struct GeneratedImage {
  std::array<std::int64_t, 3> shape{};  ///< z, y, x
  std::vector<std::uint8_t> pore;       ///< 1 pore, 0 solid
};

/// A case file and what is said beside it.
struct CaseRequest {
  std::string file;              ///< TOML (docs/case-files.md)
  std::string folder;            ///< that the case names files from; empty: its own
  std::vector<std::string> set;  ///< "N=64": values in place of the file's
  std::string out;               ///< folder for the results; made if need be
  bool resume = false;           ///< from the checkpoint there, if there is one
  /// That formulas may call, by the names caller_0, caller_1, ...; by any thread, one at a time.
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

/// `tessera generate`: {"spheres", "--size", "100"}.
TESSERA_API GeneratedImage generate(std::vector<std::string> const& options);

/// What is in an image, as JSON: porosity, components, porosity of what leads through, and what its
/// permeability would take. Options: {"--pore", "0"} and the like.
TESSERA_API std::string info(VoxelArray const& image, std::vector<std::string> const& options);

/// "0.1.0"
TESSERA_API std::string version_text();

}  // namespace tessera
