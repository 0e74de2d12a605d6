// SPDX-License-Identifier: MIT
// The options of `tessera permeability`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/fields/field_files.hpp"
#include "io/results/results.hpp"
#include "permeability/permeability_case.hpp"
#include "run/cli/log.hpp"
#include "run/cli/options.hpp"
#include "run/fields/field_units.hpp"
#include "run/in_situ.hpp"

namespace tessera {

struct PermeabilityOptions {
  ImageOptions image;
  std::string out;
  std::string voxel_size;
  std::string axis = "x";
  bool periodic = false;
  bool mirror = false;
  std::int64_t buffer_layers = default_buffer_layers;
  std::string lattice = "D3Q19";
  std::string collision = "trt";
  std::string equilibrium;           ///< empty: what is usual for the operator
  std::string precision = "single";  ///< empty: single, or as the command sees fit
  double magic = 3.0 / 16.0;
  std::optional<double> relaxation_time;
  std::optional<double> body_force;
  double tolerance = 1e-3;
  std::string solver = "auto";
  std::int64_t max_steps = 1'000'000;
  std::string cores;
  std::optional<std::string> balance;
  int gpus = -1;
  std::optional<int> tiles;
  std::optional<int> steps_per_sweep;
  std::string scheduler;
  std::string trace;
  std::vector<std::string> insitu;
  std::optional<std::int64_t> insitu_every;
  std::string insitu_pressure = "wait";
  std::string insitu_errors = "warn";
  std::optional<double> checkpoint_minutes;
  PhysicalFluid fluid;
  std::string fields_format = "vtkhdf";
  bool resume = false;
  bool check = false;
  bool fields = true;
  bool report = false;
  int refine = 0;
  bool quiet = false;
  bool verbose = false;

  void add_to(CLI::App& command);
  /// Adds only the options of commands that solve for many permeabilities and write no fields.
  /// `sample`: what a flow runs through, in words.
  void add_to_solve(CLI::App& command, std::string const& sample);
  /// Checks the options one by one. Throws BadInput.
  PermeabilityCase asked() const;
  /// Checks the options of a command that has them by add_to_solve(). Throws BadInput.
  PermeabilityCase asked_to_solve() const;
  /// Why the flow cannot be solved for with these, in words; nothing if it can be.
  std::optional<std::string> why_steps() const;
  /// why_steps(), or the option by which the user asks for steps though the flow could be solved
  /// for.
  std::optional<std::string> why_steps_are_meant() const;
  /// Checks the options of --insitu and reads the scripts. Throws BadInput.
  InSituOptions in_situ() const;
  Verbosity verbosity() const {
    return quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal;
  }
  /// Checked, in metres. Throws BadInput.
  std::optional<double> voxel_size_m() const;
  FieldFormat format_of_fields() const;

 private:
  void add_flow_options(CLI::App& command);
  void add_machine_options(CLI::App& command);
  void add_looking_options(CLI::App& command);
  void add_output_options(CLI::App& command);
};

/// `flow` of results.json: what flows, and when it ends. The relaxation time and the force: those
/// of the first axis.
FlowResult flow_result(PermeabilityOptions const& options, PermeabilityCase const& asked,
                       double relaxation_time, double body_force);

}  // namespace tessera
