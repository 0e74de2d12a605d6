// SPDX-License-Identifier: MIT
// Signals ask a run to end cleanly: those of people, and those of batch systems whose time is up.
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <thread>

namespace tessera {

/// While it lives, SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2 and SIGXCPU ask for the end. Of the
/// first three another one ends the program at once, two seconds later at the earliest: `timeout`
/// sends SIGTERM twice within milliseconds. The others warn of an end to come, and may come again.
///
/// Libraries put handlers of their own in place of others': METIS for SIGTERM while it cuts,
/// ParaView for SIGTERM and SIGINT when it starts. So no handler is ever called: the thread that
/// makes this and all those that come after it block the signals, and one that does nothing else
/// waits for them.
class Interrupt {
 public:
  /// Begins to wait. SIGHUP stays ignored if it is, as under nohup.
  Interrupt();
  /// On the thread that made it.
  ~Interrupt();
  Interrupt(Interrupt const&) = delete;
  Interrupt& operator=(Interrupt const&) = delete;

  static std::atomic<bool> const& requested();
  /// Says in a warning by which signal the run ends, and what becomes of it.
  static void announce(std::string_view end);
  /// That it ends after this step.
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
