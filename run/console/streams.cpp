// SPDX-License-Identifier: MIT
#include "run/console/streams.hpp"

#include <fcntl.h>
#include <stdio_ext.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "base/ranks/ranks.hpp"
#include "run/console/log.hpp"

namespace tessera {

void occupy_closed_streams() {
  for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest number that is free: this one.
    static_cast<void>(open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY));
  }
}

void survive_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

void print_all(std::function<void()> const& print) {
  if (!Ranks::is_root()) return;
  bool arrived = true;
  try {
    print();
  } catch (std::system_error const&) {  // of fmt
    arrived = false;
  }
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && arrived) return;
  log_warning("cannot write to standard output");
  __fpurge(stdout);
  std::clearerr(stdout);
}

void say(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace tessera
