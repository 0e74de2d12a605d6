// SPDX-License-Identifier: MIT
// Options that several modes of `tessera bench` take: each adds its line of help and its range.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/modes/hybrid_modes.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace tessera {

/// What may be asked for.
struct Range {
  std::int64_t lowest;
  std::int64_t highest;
};

/// The options of a mode whose values stand elsewhere, and must outlive it. Copies share what they
/// check.
class CheckedOptions {
 public:
  explicit CheckedOptions(CLI::App& command) : command_(&command) {}

  void size(std::int64_t& edge, Range range, std::string const& help);
  void sizes(std::vector<std::int64_t>& edges, Range range, std::string const& help);
  void porosity(double& porosity, std::string const& help);
  void radius(double& voxels);
  void tiles(int& tiles, std::string const& help);
  /// `half`: whether half precision is offered, too.
  void precision(std::string& name, bool half = true);
  void seconds(double& seconds);
  void repeats(int& repeats);
  void json(std::string& file);
  /// precision(), the number of cores, json().
  void measuring(MeasuringOptions& options, bool half = true);

  /// Another range, or what depends on several options. It throws BadInput.
  void require(std::function<void()> check) { checks_.push_back(std::move(check)); }
  /// Throws BadInput for the first value that is out of its range.
  void check() const;

 private:
  CLI::App* command_;
  std::vector<std::function<void()>> checks_;
};

/// Throws BadInput unless 0 < porosity < 1.
void require_porosity(double porosity);
/// Throws BadInput for a size out of its range.
void require_size(std::int64_t size, Range range);

}  // namespace tessera
