// SPDX-License-Identifier: MIT
// What all files of results have in common.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/json_fwd.hpp"
#include "io/results/results.hpp"

namespace tessera {

/// A number for tables; empty where it is not known, or not finite.
std::string csv_number(std::optional<double> value);

/// JSON as the text of a file: indented, with a newline at the end. Numbers that are not finite
/// become null; bytes that are not UTF-8, as file names may have, are replaced.
std::string text_of(Json const& json);
/// Writes a file of JSON. Throws EnvironmentError.
void write_json(std::filesystem::path const& path, Json const& json);

Json to_json(ImageResult const& image);
Json to_json(RunResult const& run);
Json to_json(CheckpointsResult const& checkpoints);
Json to_json(InSituResult const& insitu);
Json to_json(WorkerResult const& worker);
Json to_json(std::vector<WorkerResult> const& workers);
/// The performance of a flow in nodes of a lattice.
Json to_json(PerformanceResult const& performance);
/// What flows of all methods have of it: workers, memory, times, balance, checkpoints.
Json common_json(PerformanceResult const& performance);
Json to_json(SoftwareResult const& software);
/// The JSON that write_results() writes.
Json to_json(Results const& results);

}  // namespace tessera
