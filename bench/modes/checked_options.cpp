// SPDX-License-Identifier: MIT
#include "bench/modes/checked_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "interfaces/cli/values.hpp"

namespace tessera {

void require_porosity(double porosity) {
  if (!(porosity > 0 && porosity < 1))
    throw BadInput(fmt::format("--porosity {}: expected 0 < porosity < 1", porosity));
}

void require_size(std::int64_t size, Range range) {
  if (size < range.lowest || size > range.highest)
    throw BadInput(fmt::format("--size {}: expected {} to {}", size, range.lowest, range.highest));
}

void CheckedOptions::size(std::int64_t& edge, Range range, std::string const& help) {
  command_->add_option("--size", edge, help)->capture_default_str();
  require([&edge, range] { require_size(edge, range); });
}

void CheckedOptions::sizes(std::vector<std::int64_t>& edges, Range range, std::string const& help) {
  command_->add_option("--size", edges, help)->delimiter(',')->capture_default_str();
  require([&edges, range] {
    for (std::int64_t const edge : edges) require_size(edge, range);
  });
}

void CheckedOptions::porosity(double& porosity, std::string const& help) {
  command_->add_option("--porosity", porosity, help)->capture_default_str();
  require([&porosity] { require_porosity(porosity); });
}

void CheckedOptions::radius(double& voxels) {
  command_->add_option("--radius", voxels, "Of the spheres, voxels")->capture_default_str();
  require([&voxels] { require_positive("radius", voxels); });
}

void CheckedOptions::tiles(int& tiles, std::string const& help) {
  command_->add_option("--tiles", tiles, help)->capture_default_str();
  require([&tiles] {
    if (tiles < 0)
      throw BadInput(fmt::format("--tiles {}: expected 0 or a positive number", tiles));
  });
}

void CheckedOptions::precision(std::string& name, bool half) {
  command_->add_option("--precision", name, "half, single or double")->capture_default_str();
  require([&name, half] {
    if (!half && name != "single" && name != "double")
      throw BadInput(fmt::format("--precision {}: expected single or double", name));
    parse_precision(name);
  });
}

void CheckedOptions::seconds(double& seconds) {
  command_->add_option("--seconds", seconds, "Time of one repeat")->capture_default_str();
  require([&seconds] { require_positive("seconds", seconds); });
}

void CheckedOptions::repeats(int& repeats) {
  command_->add_option("--repeats", repeats, "Repeats; the median counts")->capture_default_str();
  require([&repeats] { require_positive("repeats", repeats); });
}

void CheckedOptions::json(std::string& file) {
  command_->add_option("--json", file, "File for the figures");
}

void CheckedOptions::measuring(MeasuringOptions& options, bool half) {
  precision(options.precision, half);
  command_->add_option("--cores", options.workers.cores,
                       "Cores to use (default: all that may help)");
  json(options.json);
}

void CheckedOptions::check() const {
  for (auto const& check : checks_) check();
}

}  // namespace tessera
