// SPDX-License-Identifier: MIT
// How often somebody is told how far a run is.
#pragma once

#include <unistd.h>

#include <chrono>
#include <string>

namespace tessera {

/// At a terminal one line is rewritten a few times a second, in a file there is a new one every
/// minute.
class Pace {
 public:
  using Seconds = std::chrono::duration<double>;

  static Pace of_standard_error() {
    return isatty(STDERR_FILENO) != 0 ? Pace(true, Seconds(0.1)) : in_lines();
  }
  static Pace in_lines() { return {false, Seconds(60)}; }
  Pace(bool rewrites, Seconds interval) : rewrites_(rewrites), interval_(interval) {}

  /// Whether the interval since the last time, or the beginning, is over; starts the next one then.
  bool is_due() {
    auto const now = Clock::now();
    if (now - last_ < interval_) return false;
    last_ = now;
    return true;
  }
  /// To be printed for a line of text.
  std::string line(std::string const& text) const { return rewrites_ ? clear + text : text + "\n"; }
  /// To be printed when the last line has been read.
  std::string end() const { return rewrites_ ? clear : ""; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr char const* clear = "\r\033[K";

  bool rewrites_;
  Seconds interval_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace tessera
