// SPDX-License-Identifier: MIT
// The files of --trace: a trace for ViTE, its picture, and one of the balance.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "graph/runtime/trace.hpp"
#include "io/results/results.hpp"

namespace tessera {

/// A recording ends after so many tasks: some 40 MB, which FxT keeps in memory.
constexpr std::int64_t most_traced_tasks = 10'000;

/// Writes paje<suffix>.trace and workers<suffix>.svg, when the traced Runtime has ended; and
/// balance<suffix>.svg, if the speeds of several domains were looked at. Throws EnvironmentError.
void write_trace(Trace& trace, std::filesystem::path const& folder, std::string const& suffix,
                 PerformanceResult const& performance);

}  // namespace tessera
