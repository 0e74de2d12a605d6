// SPDX-License-Identifier: MIT
#include "run/progress_line.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/streams.hpp"

namespace tessera {

ProgressLine::ProgressLine(std::string name, std::int64_t nodes, std::int64_t first_step,
                           bool quiet, Pace pace)
    : name_(std::move(name)), nodes_(nodes), first_step_(first_step), quiet_(quiet), pace_(pace) {}

ProgressLine::~ProgressLine() {
  if (!quiet_) say(pace_.end());
}

double ProgressLine::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void ProgressLine::print(std::int64_t step, std::optional<std::int64_t> of,
                         std::string const& known, std::string const& ending) {
  double const updates = static_cast<double>(nodes_) * static_cast<double>(step - first_step_);
  say(pace_.line(fmt::format("{}step {}{}  {}{:.1f} MFLUPS{}", name_, step,
                             of ? fmt::format(" of {}", *of) : "", known,
                             updates / elapsed() * 1e-6, ending)));
}

}  // namespace tessera
