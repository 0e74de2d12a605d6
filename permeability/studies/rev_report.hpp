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

/// Statistics of all sub-volumes of one edge along an axis. Permeabilities are of those that have
/// an answer; 0 where no pore leads through. Quantiles are interpolated.
struct RevStatistics {
  Axis axis = Axis::x;
  std::int64_t edge = 0;
  std::int64_t samples = 0;
  std::int64_t leading_through = 0;
  std::int64_t unanswered = 0;
  double porosity = 0;         ///< mean
  double porosity_spread = 0;  ///< standard deviation of the samples
  double k_mean = 0;           ///< arithmetic mean; k_mean to k_upper are in voxels squared
  double k_median = 0;
  double k_lower = 0;  ///< quartiles
  double k_upper = 0;
  double k_spread = 0;  ///< standard deviation over k_mean; 0 where that is 0
};

/// Statistics by axis, then by edge, ascending.
std::vector<RevStatistics> statistics_of(std::span<SubVolumeAnswer const> answers);

Json to_json(RevStatistics const& statistics, std::optional<double> voxel_size_m);

/// A line for each sub-volume (docs/formats.md).
std::string rev_csv(std::span<SubVolumeAnswer const> answers, std::optional<double> voxel_size_m);
/// Writes rev_csv() to a file. Throws EnvironmentError, as write_rev_chart() does.
void write_rev_csv(std::filesystem::path const& path, std::span<SubVolumeAnswer const> answers,
                   std::optional<double> voxel_size_m);

/// Permeabilities against the edge: all of them, medians and quartiles. SVG.
void write_rev_chart(std::filesystem::path const& path, std::string const& title,
                     std::span<SubVolumeAnswer const> answers, std::optional<double> voxel_size_m);

void print_rev(std::span<RevStatistics const> statistics, std::optional<double> voxel_size_m);

}  // namespace tessera
