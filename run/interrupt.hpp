// SPDX-License-Identifier: MIT
// Signals that request a clean end of the run, from users, and from batch systems at the end of a
// job's time.
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <thread>

namespace tessera {

/// While an object exists, SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2 and SIGXCPU request the end.
/// Another one of the first three ends the program at once, two seconds later at the earliest:
/// `timeout` sends SIGTERM twice within milliseconds. The last three warn of an end to come, and
/// may come again.
///
/// Libraries replace handlers by their own: METIS for SIGTERM while it cuts, ParaView for SIGTERM
/// and SIGINT when it starts. So no handler is ever called: the thread that constructs the object,
/// and all threads created afterwards, block the signals, and a thread that does nothing else waits
/// for them.
class Interrupt {
 public:
  /// Begins to wait for signals. SIGHUP stays ignored if it is, as under nohup.
  Interrupt();
  /// Call it on the thread that constructed the object.
  ~Interrupt();
  Interrupt(Interrupt const&) = delete;
  Interrupt& operator=(Interrupt const&) = delete;

  static std::atomic<bool> const& requested();
  /// Prints a warning: by which signal the run ends, and `end`.
  static void announce(std::string_view end);
  /// Prints a warning that the run ends after this step.
  static void announce_end(std::int64_t step);

 private:
  using Handler = void (*)(int);

  std::array<Handler, 6> handlers_before_{};  ///< in the order of the signals in interrupt.cpp
  sigset_t waited_for_{};
  sigset_t blocked_before_{};
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace tessera
