// SPDX-License-Identifier: MIT
// Series of values against the step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// A file of comma-separated values in the making.
struct Table {
  std::string name;                       ///< of the file, without .csv
  std::vector<std::string> header;        ///< the first two are step and time
  std::vector<std::vector<double>> rows;  ///< the steps ascend
  int digits = 9;                         ///< of the values

  /// Whether the last rows are of this step: a run that is interrupted may end where rows were due.
  bool has(std::int64_t step) const;
  /// All rows, one behind the other.
  std::vector<double> values() const;
  /// Whether they are whole rows of ascending steps, none of them behind the last.
  bool take_values(std::vector<double> const& values, std::int64_t last_step);
  /// Writes NAME.csv. Throws EnvironmentError.
  void write(std::filesystem::path const& folder) const;
};

/// Frequency per unit of the times, from where the values rise through their mean; none if that
/// happens less than three times.
std::optional<double> frequency(std::vector<double> const& times,
                                std::vector<double> const& values);

}  // namespace tessera
