// SPDX-License-Identifier: MIT
// What is said and written when the flow of a case has ended, whatever its method.
#pragma once

#include <fmt/format.h>

#include <filesystem>

#include "base/ranks/ranks.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "run/console/streams.hpp"
#include "run/insitu/in_situ.hpp"
#include "run/losses.hpp"
#include "run/rank_report.hpp"

namespace tessera {

/// Collective. The answer comes first: what fails after it must not take it along. Returns whether
/// all files were written. `print_summary` prints what the flow has come to.
template <class Job, class PrintSummary>
bool report_case(Job& job, InSitu const* in_situ, std::filesystem::path const& folder, bool quiet,
                 PrintSummary const& print_summary) {
  Losses& losses = job.records().losses();
  losses.repeat();
  std::filesystem::path const file = folder / "results.json";
  bool const kept = losses.attempt(file.string(), [&] {
    Json results = job.results();
    if (in_situ != nullptr) results["insitu"] = to_json(in_situ->result());
    write_json(file, results);
  });
  // An answer that is in no file is printed to those who want no words, too.
  if (!quiet || !kept) print_all(print_summary);
  job.write_records();
  if (!quiet) {
    print_all([&] {
      if (in_situ != nullptr) print_in_situ(in_situ->result());
      fmt::print("written to {}\n", (folder / "").string());
    });
  }
  return !Ranks::any(losses.any());
}

}  // namespace tessera
