// SPDX-License-Identifier: MIT
// Warnings and what has been understood, on standard error.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spdlog {
class logger;  // NOLINT(readability-identifier-naming): spdlog's name
}

namespace tessera {

enum class Verbosity : std::uint8_t { quiet, normal, verbose };

enum class Severity : std::uint8_t { info, warning, error };

bool is_logged(Severity severity);
/// One line, as it is.
void log_line(Severity severity, std::string_view line);

inline void log_info(std::string_view line) { log_line(Severity::info, line); }
inline void log_warning(std::string_view line) { log_line(Severity::warning, line); }
inline void log_error(std::string_view line) { log_line(Severity::error, line); }

/// Formatted by fmt::format(), which stands in a library: spdlog's own functions of these names
/// make each source that calls them compile all of fmt.
template <class First, class... Rest>
void log_info(fmt::format_string<First, Rest...> text, First&& first, Rest&&... rest) {
  if (is_logged(Severity::info))
    log_line(Severity::info,
             fmt::format(text, std::forward<First>(first), std::forward<Rest>(rest)...));
}
template <class First, class... Rest>
void log_warning(fmt::format_string<First, Rest...> text, First&& first, Rest&&... rest) {
  log_line(Severity::warning,
           fmt::format(text, std::forward<First>(first), std::forward<Rest>(rest)...));
}
template <class First, class... Rest>
void log_error(fmt::format_string<First, Rest...> text, First&& first, Rest&&... rest) {
  log_line(Severity::error,
           fmt::format(text, std::forward<First>(first), std::forward<Rest>(rest)...));
}

/// A pipe gets warnings only; a person what has been understood of the input as well.
void set_up_log(Verbosity verbosity);

/// While it lives, warnings are kept for warnings_given() alone, which begins anew: in a program
/// that is not ours.
class SilentLog {
 public:
  SilentLog();
  ~SilentLog();
  SilentLog(SilentLog const&) = delete;
  SilentLog& operator=(SilentLog const&) = delete;

 private:
  std::shared_ptr<spdlog::logger> before_;
};

/// All warnings and errors so far, in their order (of more than a hundred the last ones), for
/// results.json.
std::vector<std::string> warnings_given();

}  // namespace tessera
