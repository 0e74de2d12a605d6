// SPDX-License-Identifier: MIT
// report.html: a permeability and what it stands on, in one file that needs no other.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "io/results/curve_chart.hpp"
#include "io/results/results.hpp"
#include "run/fields/state_fields.hpp"

namespace tessera {

/// Gathers pictures of the flows as they are found.
class ReportPage {
 public:
  explicit ReportPage(Int3 shape) : shape_(shape) {}

  /// Slices through the middle and the distribution of the velocity of a flow driven along `axis`.
  void add_flow(Axis axis, StateFields const& fields);

  /// The page, complete. Throws EnvironmentError; the file is complete or not there.
  void write(std::filesystem::path const& path, Results const& results,
             std::span<ConvergenceSample const> history) const;

 private:
  struct Slices {
    Axis flow;
    double full_scale;                  ///< speed that has the brightest colour
    std::vector<std::string> pictures;  ///< addresses
  };
  void add_slices(Axis axis, StateFields const& fields);
  void add_distribution(Axis axis, StateFields const& fields);

  Int3 shape_;
  std::vector<Slices> slices_;
  std::vector<Curve> distributions_;
};

}  // namespace tessera
