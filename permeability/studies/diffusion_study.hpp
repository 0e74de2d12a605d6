// SPDX-License-Identifier: MIT
// Diffusion, or conduction, through an image: `tessera diffusion`, and the same from a program.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "geometry/connectivity.hpp"
#include "io/fields/field_files.hpp"
#include "io/json_fwd.hpp"
#include "methods/diffusion/diffusion.hpp"
#include "permeability/conductivities.hpp"
#include "permeability/permeability_request.hpp"

namespace tessera {

struct DiffusionRequest {
  /// Image, axes, set-up, tolerance, workers. Without `conductivities` what is pore conducts 1.
  PermeabilityRequest flow{};
  std::vector<LabelConductivity> conductivities{};
  bool values_conduct = false;          ///< the image's values are conductivities
  std::optional<double> diffusivity{};  ///< m^2/s of what conducts 1
  /// Edges of a voxel along x, y and z, if it is no cube; flow.voxel_size_m is not said then.
  std::optional<std::array<double, 3>> edges_m{};
  std::int64_t max_iterations = 10'000;

  /// Throws BadInput, one line, for a value that is out of its range or not to be had here.
  void check() const;
};

/// The answer along an axis; conductivities in units of the request's.
struct DiffusionAnswer {
  Axis axis = Axis::x;
  bool converged = false;
  double effective = 0;       ///< conductivity of the sample
  double error_estimate = 1;  ///< relative
  std::int64_t iterations = 0;
  double percolating = 0;  ///< share of voxels that conduct and lead through
  /// Mean fluxes along x, y, z of a gradient along the axis, if the image wraps around.
  std::optional<std::array<double, 3>> column{};
  /// What the voxels leave open of `effective`, in its units, if it was asked for.
  std::optional<VoxelInterval> voxels{};
  double seconds = 0;         ///< in all, but for the fields
  double set_up_seconds = 0;  ///< of these, until the first iteration
};

class DiffusionStudy {
 public:
  /// The request has been checked and must outlive it.
  explicit DiffusionStudy(DiffusionRequest const& request);

  /// Before run(). Throws BadInput for labels without a conductivity, where nothing conducts, and
  /// where nothing leads through along an axis.
  void take(Image const& image);
  /// What is on the voxels of the image along an axis, in the end; x fastest.
  struct Fields {
    std::vector<float>
        concentration;        ///< 1 before the image, 0 behind it; 0 where nothing is solved
    std::vector<float> flux;  ///< three components, of a mean gradient of 1
    std::vector<std::uint8_t> solved;  ///< 1: conducts and leads through
  };
  using TakeFields = std::function<void(DiffusionAnswer const& answer, Fields fields)>;
  /// All ranks: computes along each axis, together, as tasks of a Runtime. `take_fields`, unless
  /// empty, gets the fields, all of them on rank 0. `note` is told of each answer.
  void run(std::atomic<bool> const& stop, TakeFields const& take_fields,
           std::function<void(DiffusionAnswer const&)> const& note = {});

  /// All ranks, after run(): what the voxels leave open, if that is asked for, by flows through
  /// finer images side by side. Returns whether it has ended.
  bool refine(std::atomic<bool> const& stop);

  std::vector<DiffusionAnswer> const& answers() const { return answers_; }
  /// Whether all axes have a converged answer.
  bool complete() const;
  /// results.json.
  Json results() const;
  ImageResult const& image() const { return image_; }
  std::vector<WorkerResult> const& workers() const { return workers_; }
  /// Writes fields in the format of the name's ending.
  void write(std::filesystem::path const& path, Fields const& fields) const;
  /// An answer in words.
  std::string line(DiffusionAnswer const& answer) const;
  /// What the voxels leave open of it, in words; empty where that is not known.
  static std::string voxels_line(DiffusionAnswer const& answer);

 private:
  /// Edges of a voxel, which the image's results say then.
  std::array<double, 3> take_edges(Image const& image);
  Conductor conductor_in(Image const& image) const;
  /// Throws BadInput where finer images of what conducts cannot be made.
  void check_refinable(std::int64_t conducting, double least) const;
  /// Collective: GPUs that compute, of each process; 0: cores do.
  unsigned gpus_to_use() const;
  /// All ranks: those of all nodes, on rank 0.
  Fields fields_of(Uninitialised<std::int64_t> const& voxels,
                   Uninitialised<DiffusionState> const& states, Axis axis) const;
  bool has_cubes() const { return Spacing(conductor_.edges).is_cube(); }
  std::int64_t sample_voxels() const { return conductor_.geometry.sample_voxels(); }
  bool is_periodic() const { return request_.flow.flow.setup == FlowSetup::periodic; }
  double formation_factor(DiffusionAnswer const& answer) const;
  double tortuosity(DiffusionAnswer const& answer) const;
  Json to_json(DiffusionAnswer const& answer) const;

  DiffusionRequest const& request_;
  RunResult run_;
  ImageResult image_;
  Conductor conductor_;
  std::optional<PoreComponents> components_;  ///< of what conducts
  double conducting_ = 0;                     ///< share of the sample's voxels that conduct
  double mean_ = 0;                           ///< conductivity over the sample
  double largest_ = 0;                        ///< conductivity of a voxel
  std::vector<DiffusionAnswer> answers_;
  std::vector<WorkerResult> workers_;
  std::string scheduler_;
  double seconds_ = 0;
  double bytes_per_node_ = 0;
};

}  // namespace tessera
