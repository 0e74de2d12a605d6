// SPDX-License-Identifier: MIT
#include "app/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace tessera {

void set_up_log(Verbosity verbosity) {
  auto const log = spdlog::stderr_color_mt("tessera");
  log->set_pattern("tessera: %^%v%$");
  log->set_level(verbosity == Verbosity::verbose ? spdlog::level::info : spdlog::level::warn);
  spdlog::set_default_logger(log);
}

}  // namespace tessera
