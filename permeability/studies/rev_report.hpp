// SPDX-License-Identifier: MIT
// Report of many sub-volumes of an image: a table of them all, their spread against their edge.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/json_fwd.hpp"
#include "permeability/studies/sub_volumes.hpp"

namespace tessera {

/// What the answers are, permeabilities or conductivities, and in which units.
struct RevUnits {
  bool of_conductivity = false;
  std::optional<double> voxel_size_m{};  ///< permeabilities are also in mD then
  double largest = 1;  ///< conductivity of a voxel: over the effective one, the formation factor
};

/// Statistics of all sub-volumes of one edge along an axis. Values are of those that have an
/// answer; 0 where nothing leads through. Quantiles are interpolated.
struct RevStatistics {
  Axis axis = Axis::x;
  std::int64_t edge = 0;
  std::int64_t samples = 0;
  std::int64_t leading_through = 0;
  std::int64_t unanswered = 0;
  double porosity = 0;         ///< mean
  double porosity_spread = 0;  ///< standard deviation of the samples
  double mean = 0;             ///< arithmetic; as ImageAnswer has values, up to `upper`
  double median = 0;
  double lower = 0;  ///< quartiles
  double upper = 0;
  double spread = 0;  ///< standard deviation over the mean; 0 where that is 0
};

/// Statistics by axis, then by edge, ascending.
std::vector<RevStatistics> statistics_of(std::span<SubVolumeAnswer const> answers);

Json to_json(RevStatistics const& statistics, RevUnits const& units);

/// A line for each sub-volume (docs/formats.md).
std::string rev_csv(std::span<SubVolumeAnswer const> answers, RevUnits const& units);
/// Writes rev_csv() to a file. Throws EnvironmentError, as write_rev_chart() does.
void write_rev_csv(std::filesystem::path const& path, std::span<SubVolumeAnswer const> answers,
                   RevUnits const& units);

/// Values against the edge: all of them, medians and quartiles. SVG.
void write_rev_chart(std::filesystem::path const& path, std::string const& title,
                     std::span<SubVolumeAnswer const> answers, RevUnits const& units);

void print_rev(std::span<RevStatistics const> statistics, RevUnits const& units);

}  // namespace tessera
