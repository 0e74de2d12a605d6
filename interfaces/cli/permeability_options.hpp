// SPDX-License-Identifier: MIT
// The options of `tessera permeability`: the library's, and those about files, pictures and the
// terminal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interfaces/api/tessera.hpp"
#include "interfaces/cli/image_options.hpp"
#include "interfaces/cli/machine_options.hpp"
#include "io/fields/field_files.hpp"
#include "permeability/permeability_request.hpp"
#include "run/console/log.hpp"

namespace tessera {

class PermeabilityCommand {
 public:
  void add_to(CLI::App& command);
  /// What the options ask for; the scripts are read. Throws BadInput.
  PermeabilityRequest request() const;
  /// Throws BadInput if this build cannot write it.
  FieldFormat fields_format() const;
  Verbosity verbosity() const {
    return quiet_ ? Verbosity::quiet : verbose_ ? Verbosity::verbose : Verbosity::normal;
  }
  std::string const& out() const { return out_; }
  bool only_checks() const { return check_; }
  bool writes_report() const { return report_; }

 private:
  void add_flow_options(CLI::App& command);
  void add_looking_options(CLI::App& command);
  void add_output_options(CLI::App& command);
  InSituOptions in_situ() const;

  ImageOptions image_;
  PermeabilityOptions options_;  ///< but for those of the machine
  MachineOptions machine_;
  std::string out_;
  std::vector<std::string> scripts_;
  std::optional<std::int64_t> insitu_every_;
  std::string insitu_pressure_ = "wait";
  std::string insitu_errors_ = "warn";
  std::optional<double> checkpoint_minutes_;
  bool resume_ = false;
  bool check_ = false;
  bool report_ = false;
  std::string fields_format_ = "vtkhdf";
  bool quiet_ = false;
  bool verbose_ = false;
};

/// --checkpoint MINUTES and --resume.
void add_checkpoint_options(CLI::App& command, std::optional<double>& minutes, bool& resume);

}  // namespace tessera
