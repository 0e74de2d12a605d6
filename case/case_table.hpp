// SPDX-License-Identifier: MIT
// Series of values against the step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// A file of comma-separated values while it grows.
struct Table {
  std::string name;                       ///< of the file, without .csv
  std::vector<std::string> header;        ///< the first two are step and time
  std::vector<std::vector<double>> rows;  ///< the steps ascend
  int digits = 9;                         ///< of the values

  /// Whether the last rows belong to this step: a run that is interrupted may end where rows were
  /// due.
  bool has(std::int64_t step) const;
  /// All rows, one behind the other.
  std::vector<double> values() const;
  /// Takes values() of an earlier run. Returns whether they are whole rows of ascending steps, none
  /// after `last_step`.
  bool take_values(std::vector<double> const& values, std::int64_t last_step);
  /// Writes NAME.csv. Throws EnvironmentError.
  void write(std::filesystem::path const& folder) const;
};

/// Frequency per unit of the times, from where the values rise through their mean; none if that
/// happens less than three times.
std::optional<double> frequency(std::vector<double> const& times,
                                std::vector<double> const& values);

}  // namespace tessera
