// SPDX-License-Identifier: MIT
// The options of `tessera rev`, `forchheimer`, `phases` and `diffusion`: the library's, and those
// about files and the terminal.
#pragma once

#include <string>

#include "interfaces/api/tessera.hpp"
#include "interfaces/cli/image_options.hpp"
#include "interfaces/cli/requests.hpp"
#include "run/console/log.hpp"

namespace tessera {

/// What they have in common.
struct StudyFiles {
  ImageOptions image;
  std::string out;
  std::string trace;  ///< folder; empty: none
  bool quiet = false;

  Verbosity verbosity() const { return quiet ? Verbosity::quiet : Verbosity::normal; }
};

struct RevCommand : StudyFiles {
  RevOptions options;

  void add_to(CLI::App& command);
  RevRequest request() const;
};

struct ForchheimerCommand : StudyFiles {
  ForchheimerOptions options;

  void add_to(CLI::App& command);
  ForchheimerRequest request() const;
};

struct DiffusionCommand : StudyFiles {
  DiffusionOptions options;
  bool fields = true;
  std::string fields_format = "vtkhdf";

  void add_to(CLI::App& command);
  DiffusionRequest request() const;
};

struct PhasesCommand : StudyFiles {
  PhasesOptions options;

  void add_to(CLI::App& command);
  PhasesRequest request() const;
};

}  // namespace tessera
