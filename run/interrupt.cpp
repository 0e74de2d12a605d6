// SPDX-License-Identifier: MIT
#include "run/interrupt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "run/console/log.hpp"

namespace tessera {
namespace {

struct Asking {
  int signal;
  char const* name;
  bool kills;  ///< if it comes again
};
constexpr std::array<Asking, 6> asking{{{SIGHUP, "SIGHUP", true},
                                        {SIGINT, "SIGINT", true},
                                        {SIGTERM, "SIGTERM", true},
                                        {SIGUSR1, "SIGUSR1", false},
                                        {SIGUSR2, "SIGUSR2", false},
                                        {SIGXCPU, "SIGXCPU", false}}};

std::atomic<bool> interrupted{false};
std::atomic<int> first_signal{0};
/// Since when one that kills would be the second.
std::optional<std::chrono::steady_clock::time_point> counts_from;

constexpr std::chrono::seconds patience{2};

std::atomic<pthread_t> waiting;

/// On a thread that was there before, such as one of CUDA's.
void pass_on(int signal) { pthread_kill(waiting, signal); }

[[noreturn]] void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(signal);
  std::abort();
}

void note_signal(int signal) {
  if (!interrupted) first_signal = signal;
  interrupted = true;
  if (!std::ranges::find(asking, signal, &Asking::signal)->kills) return;
  auto const now = std::chrono::steady_clock::now();
  if (!counts_from) counts_from = now + patience;
  if (now >= *counts_from) die_of(signal);
}

}  // namespace

Interrupt::Interrupt() {
  sigemptyset(&waited_for_);
  for (Asking const& a : asking) {
    struct sigaction before {};
    sigaction(a.signal, nullptr, &before);
    if (a.signal != SIGHUP || before.sa_handler != SIG_IGN) sigaddset(&waited_for_, a.signal);
  }
  pthread_sigmask(SIG_BLOCK, &waited_for_, &blocked_before_);
  thread_ = std::thread([this] {
    int signal = 0;
    while (sigwait(&waited_for_, &signal) == 0 && !over_) note_signal(signal);
  });
  waiting = thread_.native_handle();
  for (std::size_t i = 0; i < asking.size(); ++i) {
    if (sigismember(&waited_for_, asking[i].signal) != 0)
      handlers_before_[i] = std::signal(asking[i].signal, pass_on);
  }
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < asking.size(); ++i) {
    if (sigismember(&waited_for_, asking[i].signal) != 0)
      std::signal(asking[i].signal, handlers_before_[i]);
  }
  over_ = true;
  pthread_kill(thread_.native_handle(), SIGUSR1);
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &blocked_before_, nullptr);
}

std::atomic<bool> const& Interrupt::requested() { return interrupted; }

void Interrupt::announce(std::string_view end) {
  std::string_view name = "asked to end";
  for (Asking const& a : asking) {
    if (a.signal == first_signal) name = a.name;
  }
  log_warning("{}: {}", name, end);
}

void Interrupt::announce_end(std::int64_t step) {
  announce(fmt::format("stopping after step {}, writing what there is", step));
}

}  // namespace tessera
