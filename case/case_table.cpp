// SPDX-License-Identifier: MIT
#include "case/case_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "io/atomic_file.hpp"

namespace tessera {

bool Table::has(std::int64_t step) const {
  return !rows.empty() && rows.back()[0] == static_cast<double>(step);
}

std::vector<double> Table::values() const {
  std::vector<double> values;
  for (auto const& row : rows) values.insert(values.end(), row.begin(), row.end());
  return values;
}

bool Table::take_values(std::vector<double> const& values, std::int64_t last_step) {
  auto const columns = static_cast<std::ptrdiff_t>(header.size());
  rows.clear();
  for (auto at = values.begin(); values.end() - at >= columns; at += columns) {
    double const before = rows.empty() ? 0 : rows.back()[0];
    bool const is_a_step = *at >= before && *at <= static_cast<double>(last_step);
    if (!is_a_step || std::floor(*at) != *at) return false;
    rows.emplace_back(at, at + columns);
  }
  return values.size() % header.size() == 0;
}

void Table::write(std::filesystem::path const& folder) const {
  std::string text = fmt::format("{}\n", fmt::join(header, ","));
  for (auto const& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      // Nothing where all is solid; a number of steps in full.
      if (std::isfinite(row[i]))
        text += i == 0 ? fmt::format("{:.0f}", row[i]) : fmt::format("{:.{}g}", row[i], digits);
    }
    text += '\n';
  }
  write_whole_file(folder / (name + ".csv"), text);
}

std::optional<double> frequency(std::vector<double> const& times,
                                std::vector<double> const& values) {
  if (values.empty()) return std::nullopt;
  double const mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  std::vector<double> rises;
  for (std::size_t i = 1; i < values.size(); ++i) {
    double const before = values[i - 1] - mean;
    double const after = values[i] - mean;
    if (before < 0 && after >= 0)
      rises.push_back(times[i - 1] + (times[i] - times[i - 1]) * before / (before - after));
  }
  if (rises.size() < 3) return std::nullopt;
  return static_cast<double>(rises.size() - 1) / (rises.back() - rises.front());
}

}  // namespace tessera
