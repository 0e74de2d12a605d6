// SPDX-License-Identifier: MIT
// Warnings and what has been understood, on standard error.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace spdlog {
class logger;  // NOLINT(readability-identifier-naming): spdlog's name
}

namespace tessera {

enum class Verbosity : std::uint8_t { quiet, normal, verbose };

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
