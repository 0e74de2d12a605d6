// SPDX-License-Identifier: MIT
// Figures of this machine that were measured once and are kept: a JSON object in the user's cache.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/storage.hpp"

namespace tessera {

/// $TESSERA_CACHE, else $XDG_CACHE_HOME/tessera, else ~/.cache/tessera; machine.json in it.
std::filesystem::path kept_figures_file();

/// The key that a figure of this host is kept under.
std::string figure_key(std::string const& what);
/// The key of a figure of D3Q19 that depends on the precision.
std::string figure_key(std::string const& what, Precision precision);

/// A figure that is kept, more than 0; none if it is missing or the file cannot be read.
std::optional<double> kept_figure(std::string const& key);

/// Keeping is a convenience: a full or read-only disk stops nothing. Returns whether it is kept.
bool keep_figure(std::string const& key, double value);

/// The kept figure; if there is none, the result of measure(), which is kept from then on.
template <class Measure>
double kept_or_measured(std::string const& key, Measure&& measure) {
  if (std::optional<double> const kept = kept_figure(key)) return *kept;
  double const measured = measure();
  keep_figure(key, measured);
  return measured;
}

}  // namespace tessera
