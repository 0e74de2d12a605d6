// SPDX-License-Identifier: MIT
#include "app/interrupt.hpp"

#include <csignal>

namespace tessera {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch such");

void note_signal(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt()
    : old_interrupt_(std::signal(SIGINT, note_signal)),
      old_terminate_(std::signal(SIGTERM, note_signal)) {}

Interrupt::~Interrupt() {
  std::signal(SIGINT, old_interrupt_);
  std::signal(SIGTERM, old_terminate_);
}

std::atomic<bool> const& Interrupt::requested() { return interrupted; }

}  // namespace tessera
