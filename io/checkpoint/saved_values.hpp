// SPDX-License-Identifier: MIT
// Values by their names from a checkpoint's text, checked one by one.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/json_fwd.hpp"

namespace tessera {

/// An object of a checkpoint's text. All functions throw BadInput "FILE: ..." for values that are
/// missing or of another kind or size than requested.
class SavedValues {
 public:
  SavedValues(std::filesystem::path file, Json values);

  /// The largest number of steps or values: below it, doubles hold whole numbers exactly.
  static constexpr std::int64_t most = std::int64_t{1} << 53;
  /// The largest number of steps that a run could ever take.
  static constexpr std::int64_t most_steps = 1'000'000'000'000;

  std::int64_t whole(std::string const& key, std::int64_t least = 0,
                     std::int64_t greatest = most) const;
  bool flag(std::string const& key) const;
  /// A finite number.
  double number(std::string const& key) const;
  double number(std::string const& key, double least) const;
  /// A finite number; none where it was not known.
  std::optional<double> number_if_known(std::string const& key) const;
  /// Numbers; those that were not finite are NaN, as JSON has no infinity.
  std::vector<double> numbers(std::string const& key) const;
  std::vector<double> finite_numbers(std::string const& key) const;
  /// Steps up to the last one, each more than the one before.
  std::vector<std::int64_t> steps(std::string const& key, std::int64_t last) const;
  std::vector<std::array<double, 3>> vectors(std::string const& key) const;
  SavedValues object(std::string const& key) const;
  bool has(std::string const& key) const;
  Json const& json(std::string const& key) const;
  Json const& all() const { return *values_; }

  /// "FILE: damaged: WHAT".
  [[noreturn]] void refuse(std::string const& what) const;

 private:
  std::filesystem::path file_;
  std::shared_ptr<Json const> values_;
};

}  // namespace tessera
