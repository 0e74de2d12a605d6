// SPDX-License-Identifier: MIT
#include "run/console/log.hpp"

#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

#include "base/ranks/ranks.hpp"
#include "run/console/pace.hpp"

namespace tessera {
namespace {

using Kept = std::shared_ptr<spdlog::sinks::ringbuffer_sink_mt>;

Kept keep_anew() {
  auto sink = std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(100);
  sink->set_level(spdlog::level::warn);
  return sink;
}

Kept& kept_warnings() {
  static Kept kept = keep_anew();
  return kept;
}

spdlog::level::level_enum level_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return spdlog::level::info;
    case Severity::warning:
      return spdlog::level::warn;
    case Severity::error:
      break;
  }
  return spdlog::level::err;
}

}  // namespace

bool is_logged(Severity severity) { return spdlog::should_log(level_of(severity)); }

void log_line(Severity severity, std::string_view line) {
  spdlog::log(level_of(severity), spdlog::string_view_t(line.data(), line.size()));
}

void set_up_log(Verbosity verbosity) {
  auto const log = spdlog::stderr_color_mt("tessera");
  // At a terminal the line that says how far a run is may stand there.
  log->set_pattern(Pace::of_standard_error().end() + "tessera: %^%v%$");
  log->set_level(verbosity == Verbosity::verbose ? spdlog::level::info : spdlog::level::warn);
  // What all find out the first one says.
  if (!Ranks::is_root()) log->set_level(spdlog::level::off);
  log->sinks().push_back(kept_warnings());
  spdlog::set_default_logger(log);
}

SilentLog::SilentLog() : before_(spdlog::default_logger()) {
  kept_warnings() = keep_anew();
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("tessera", kept_warnings()));
}

SilentLog::~SilentLog() { spdlog::set_default_logger(before_); }

std::vector<std::string> warnings_given() {
  std::vector<std::string> warnings;
  for (auto const& message : kept_warnings()->last_raw())
    warnings.emplace_back(message.payload.begin(), message.payload.end());
  return warnings;
}

}  // namespace tessera
