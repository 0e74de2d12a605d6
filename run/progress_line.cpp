// SPDX-License-Identifier: MIT
#include "run/progress_line.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/ranks/ranks.hpp"
#include "run/console/streams.hpp"

namespace tessera {

ProgressLine::ProgressLine(std::string name, std::int64_t nodes, std::int64_t first_step,
                           bool quiet, Pace pace, std::string unit)
    : name_(std::move(name)),
      nodes_(nodes),
      first_step_(first_step),
      quiet_(quiet || !Ranks::is_root()),
      pace_(pace),
      unit_(std::move(unit)) {}

ProgressLine::~ProgressLine() {
  if (!quiet_) say(pace_.end());
}

double ProgressLine::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void ProgressLine::print(std::int64_t step, std::optional<std::int64_t> of,
                         std::string const& known, std::string const& ending) {
  double const updates = static_cast<double>(nodes_) * static_cast<double>(step - first_step_);
  std::string const speed =
      unit_ == "step" ? fmt::format("{:.1f} MFLUPS", updates / elapsed() * 1e-6) : "";
  say(pace_.line(fmt::format("{}{} {}{}  {}{}{}", name_, unit_, step,
                             of ? fmt::format(" of {}", *of) : "", known, speed, ending)));
}

}  // namespace tessera
