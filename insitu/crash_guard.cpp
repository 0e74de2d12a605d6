// SPDX-License-Identifier: MIT
#include "insitu/crash_guard.hpp"

#include <pthread.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace tessera {
namespace {

struct Fault {
  int signal;
  char const* name;
};
constexpr std::array<Fault, 5> faults{{{SIGSEGV, "segmentation fault"},
                                       {SIGBUS, "bus error"},
                                       {SIGFPE, "arithmetic error"},
                                       {SIGILL, "illegal instruction"},
                                       {SIGABRT, "abort"}}};

// A signal handler finds nothing but globals.
std::atomic<bool> guarding = false;
pthread_t guarded;                                // of the thread, once `guarding`
pid_t guarded_process;                            // children that it forks may end
std::atomic<char const*> stopped_for = nullptr;   // lock-free, as a handler needs it
std::array<struct sigaction, faults.size()> old;  // what was done before, in the order of faults
static_assert(std::atomic<char const*>::is_always_lock_free);

bool on_guarded_thread() {
  return guarding && pthread_equal(pthread_self(), guarded) != 0 && getpid() == guarded_process;
}

[[noreturn]] void stop_this_thread(char const* why) {
  stopped_for = why;
  sigset_t all;
  sigfillset(&all);
  for (;;) sigsuspend(&all);
}

void on_fault(int signal) {
  for (std::size_t f = 0; f < faults.size(); ++f) {
    if (faults[f].signal != signal) continue;
    if (on_guarded_thread()) stop_this_thread(faults[f].name);
    // Another thread: as if nobody had asked.
    sigaction(signal, &old[f], nullptr);
    raise(signal);
  }
}

void on_exit() {
  if (on_guarded_thread()) stop_this_thread("exit");
}

}  // namespace

void guard_this_thread() {
  if (guarding) return;
  // A stack that has overflowed has no room for the handler.
  static std::vector<char> own_stack(std::size_t{1} << 16);
  stack_t const stack{.ss_sp = own_stack.data(), .ss_flags = 0, .ss_size = own_stack.size()};
  sigaltstack(&stack, nullptr);
  guarded = pthread_self();
  guarded_process = getpid();
  guarding = true;
  struct sigaction action {};
  action.sa_handler = on_fault;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (std::size_t f = 0; f < faults.size(); ++f) sigaction(faults[f].signal, &action, &old[f]);
  std::atexit(on_exit);  // libX11, and Python after SystemExit, end the process so
}

char const* crash() { return stopped_for; }

void leave(int status) {
  if (crash() == nullptr) std::exit(status);
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace tessera

// In place of the C library's, for all libraries that a program loads which exports them.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" void _exit(int status) {
  if (tessera::on_guarded_thread()) tessera::stop_this_thread("_exit()");
  for (;;) syscall(SYS_exit_group, status);
}

extern "C" void _Exit(int status) { _exit(status); }
// NOLINTEND(bugprone-reserved-identifier)
