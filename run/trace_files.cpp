// SPDX-License-Identifier: MIT
#include "run/trace_files.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "base/settings.hpp"
#include "io/atomic_file.hpp"
#include "io/results/balance_chart.hpp"
#include "io/results/gantt_chart.hpp"
#include "run/console/output_folder.hpp"

namespace tessera {

RunTrace::RunTrace(std::string folder) : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  Ranks::expect_alone(setting_name("trace"));
  Trace::check_available();
  trace_.emplace();
}

void RunTrace::prepare_folder(OutputFolder const& results) const {
  if (!is_on()) return;
  try {
    tessera::prepare_folder("--trace", folder_, "paje.trace");
  } catch (EnvironmentError const&) {
    results.discard();
    throw;
  }
}

void RunTrace::write(std::string const& suffix, PerformanceResult const& performance) {
  if (is_on()) write_trace(*trace_, folder_, suffix, performance);
}

std::string RunTrace::name() const { return setting_text("trace", folder_); }

void write_trace(Trace& trace, std::filesystem::path const& folder, std::string const& suffix,
                 PerformanceResult const& performance) {
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
  for (WorkerResult const& worker : performance.workers) chart.rows.push_back(worker.name);
  for (TracedTask const& task : trace.tasks()) {
    chart.bars.push_back({.row = static_cast<std::size_t>(task.worker),
                          .kind = task.codelet,
                          .start_s = task.start_s,
                          .end_s = task.end_s});
  }
  write_gantt_chart(folder / fmt::format("workers{}.svg", suffix), chart);

  std::filesystem::path const balance = folder / fmt::format("balance{}.svg", suffix);
  if (performance.balance.looks.empty()) {
    std::filesystem::remove(balance, error);  // an earlier run may have left its chart
  } else {
    write_balance_chart(balance, "Imbalance and speeds while the flow ran", performance.balance);
  }
}

}  // namespace tessera
