// SPDX-License-Identifier: MIT
#include "app/trace_files.hpp"

#include <fmt/format.h>

#include "io/atomic_file.hpp"
#include "io/gantt_chart.hpp"
#include "lattice/errors.hpp"

namespace tessera {

void write_trace(Trace& trace, std::filesystem::path const& folder, std::string const& suffix,
                 std::vector<WorkerResult> const& workers) {
  trace.convert();
  std::filesystem::path const paje = folder / fmt::format("paje{}.trace", suffix);
  AtomicFile file(paje);
  std::error_code error;
  std::filesystem::copy_file(trace.paje(), file.temporary_path(), error);
  if (error) {
    throw EnvironmentError(fmt::format("{}: cannot write ({})", paje.string(), error.message()));
  }
  file.commit();

  GanttChart chart{.title = fmt::format("The last recorded tasks of {}", paje.filename().string()),
                   .rows = {},
                   .bars = {}};
  for (WorkerResult const& worker : workers) chart.rows.push_back(worker.name);
  for (TracedTask const& task : trace.tasks()) {
    chart.bars.push_back({.row = static_cast<std::size_t>(task.worker),
                          .kind = task.codelet,
                          .start_s = task.start_s,
                          .end_s = task.end_s});
  }
  write_gantt_chart(folder / fmt::format("workers{}.svg", suffix), chart);
}

}  // namespace tessera
