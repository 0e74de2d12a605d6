// SPDX-License-Identifier: MIT
// The files of --trace: a trace for ViTE, its picture, and one of the balance.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "graph/runtime/trace.hpp"
#include "io/results/results.hpp"

namespace tessera {

class OutputFolder;

/// A recording ends after so many tasks: some 40 MB, which FxT keeps in memory.
constexpr std::int64_t most_traced_tasks = 10'000;

/// What --trace asks for: nothing where no folder is named.
class RunTrace {
 public:
  /// Begins to record. Throws BadInput of several processes, EnvironmentError if this StarPU cannot
  /// record.
  explicit RunTrace(std::string folder);

  bool is_on() const { return trace_.has_value(); }
  /// Makes the folder. Throws EnvironmentError, once the folder of the results is discarded.
  void prepare_folder(OutputFolder const& results) const;
  /// Ends the recording after most_traced_tasks. To be called while the Runtime is there.
  void note_tasks(std::int64_t so_far) const {
    if (is_on() && so_far > most_traced_tasks) Trace::stop();
  }
  void stop() const {
    if (is_on()) Trace::stop();
  }
  /// When the Runtime has ended: write_trace().
  void write(std::string const& suffix, PerformanceResult const& performance);
  /// "--trace FOLDER"
  std::string name() const;

 private:
  std::string folder_;
  std::optional<Trace> trace_;
};

/// Writes paje<suffix>.trace and workers<suffix>.svg, when the traced Runtime has ended; and
/// balance<suffix>.svg, if the speeds of several domains were looked at. Throws EnvironmentError.
void write_trace(Trace& trace, std::filesystem::path const& folder, std::string const& suffix,
                 PerformanceResult const& performance);

}  // namespace tessera
