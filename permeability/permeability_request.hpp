// SPDX-License-Identifier: MIT
// What somebody asks for who wants the permeability of an image, by whichever interface.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/images/image_request.hpp"
#include "io/results/results.hpp"
#include "permeability/gases.hpp"
#include "permeability/grey_voxels.hpp"
#include "permeability/permeability_case.hpp"
#include "permeability/permeability_map.hpp"
#include "run/fields/field_units.hpp"
#include "run/insitu/in_situ_options.hpp"
#include "run/plan/worker_plan.hpp"

namespace tessera {

struct PermeabilityRequest {
  ImageRequest image{};
  std::optional<double> voxel_size_m{};
  std::vector<Axis> axes{Axis::x};
  PermeabilityCase flow{};
  std::optional<Solver> solver{};  ///< none: minres where it can and fits the memory
  WorkersAsked workers{.cores_if_they_help = true};
  bool balance_is_asked = false;  ///< flow.balance is the user's choice
  std::string scheduler{};        ///< StarPU's policy; empty: the usual one
  std::string trace{};            ///< folder for a trace of the workers; empty: none
  InSituOptions in_situ{};
  std::optional<double> checkpoint_minutes{};
  bool resume = false;
  PhysicalFluid fluid{};           ///< the fluid of the fields
  std::optional<Gas> gas{};        ///< that slips; flow.slip is set then
  double temperature = 293.15;     ///< of the gas, kelvin
  int refine = 0;                  ///< 2 or 3: also what the voxels leave open; 0: no
  std::vector<GreyLabels> grey{};  ///< voxels that are neither pore nor solid
  std::optional<PermeabilityUnit> grey_values{};  ///< the image's values are permeabilities in it
  /// Also what the segmentation leaves open: k at thresholds of this range, of which the image's
  /// rule has the middle.
  std::optional<ThresholdRange> thresholds{};

  /// Whether there may be grey voxels.
  bool has_grey() const { return !grey.empty() || grey_values; }
  /// Collective: what of the image is pore and what grey. Replaces its values where they are
  /// permeabilities. `taken`, what is known of the image, gets the grey voxels. Throws BadInput.
  PermeabilityMap take_grey(Image& voxels, ImageResult& taken) const;
  /// Whether rank 0 computes flows through other images beside that of an axis.
  bool has_flows_beside() const { return refine > 0 || thresholds; }
  /// Whether there may be work for a GPU.
  bool wants_gpus() const { return workers.gpus != 0; }
  /// Throws BadInput, one line, for a value that is out of its range.
  void check() const;
  /// Throws BadInput where grey voxels are asked for beside what does not know of them.
  void check_grey() const;
  /// Throws BadInput where slip is asked for beside what does not know of it.
  void check_slip() const;
  /// Throws BadInput unless minres can compute the flow.
  void check_solvable() const;
  /// Why minres cannot compute this, in words; nothing if it can.
  std::optional<std::string> why_steps() const;
  /// why_steps(), or the setting by which the user asks for steps though minres could compute this.
  std::optional<std::string> why_steps_are_meant() const;
};

/// "x", "y", "z", or "all" where there are several.
std::string text_of(std::vector<Axis> const& axes);

/// `flow` of results.json: what flows, and when it ends. The relaxation time and the force are
/// those of the first axis; `asked` is the request's flow with what has been chosen since.
FlowResult flow_result(PermeabilityRequest const& request, PermeabilityCase const& asked,
                       double relaxation_time, double body_force);

}  // namespace tessera
