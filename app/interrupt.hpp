// SPDX-License-Identifier: MIT
// Ctrl-C and a batch system's SIGTERM ask the run to end cleanly; a second one ends it at once.
#pragma once

#include <atomic>

namespace tessera {

class Interrupt {
 public:
  /// Installs the handlers.
  Interrupt();
  /// Puts the old ones back.
  ~Interrupt();
  Interrupt(Interrupt const&) = delete;
  Interrupt& operator=(Interrupt const&) = delete;

  static std::atomic<bool> const& requested();

 private:
  using Handler = void (*)(int);
  Handler old_interrupt_;
  Handler old_terminate_;
};

}  // namespace tessera
