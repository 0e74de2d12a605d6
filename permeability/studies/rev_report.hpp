// SPDX-License-Identifier: MIT
// What many sub-volumes say of an image: a table of them all, their spread against their edge.
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

/// Of all sub-volumes of an edge with an answer, along an axis. Quantiles between values are
/// interpolated; what nothing leads through counts as 0.
struct RevStatistics {
  Axis axis = Axis::x;
  std::int64_t edge = 0;
  std::int64_t samples = 0;
  std::int64_t leading_through = 0;
  std::int64_t unanswered = 0;
  double porosity = 0;         ///< mean
  double porosity_spread = 0;  ///< standard deviation, of samples
  double k_mean = 0;           ///< arithmetic, voxels squared, as are the next ones
  double k_median = 0;
  double k_lower = 0;  ///< quartiles
  double k_upper = 0;
  double k_spread = 0;  ///< standard deviation over k_mean; 0 where that is 0
};

/// By axis, then by edge, ascending.
std::vector<RevStatistics> statistics_of(std::span<SubVolumeAnswer const> answers);

Json to_json(RevStatistics const& statistics, std::optional<double> voxel_size_m);

/// A line for each sub-volume (docs/formats.md).
std::string rev_csv(std::span<SubVolumeAnswer const> answers, std::optional<double> voxel_size_m);
/// Writes it. Throws EnvironmentError, as the next one.
void write_rev_csv(std::filesystem::path const& path, std::span<SubVolumeAnswer const> answers,
                   std::optional<double> voxel_size_m);

/// Permeabilities against the edge: all of them, medians and quartiles. SVG.
void write_rev_chart(std::filesystem::path const& path, std::string const& title,
                     std::span<SubVolumeAnswer const> answers, std::optional<double> voxel_size_m);

void print_rev(std::span<RevStatistics const> statistics, std::optional<double> voxel_size_m);

}  // namespace tessera
