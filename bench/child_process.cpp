// SPDX-License-Identifier: MIT
#include "bench/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <string_view>

#include "base/errors.hpp"

namespace tessera {
namespace {

/// Ours with `changes`, as exec wants it: pointers into both, and a last null.
std::vector<char*> environment_with(std::vector<std::string> const& changes) {
  auto const name_of = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  std::vector<char*> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    bool const changed = std::ranges::any_of(
        changes, [&](std::string const& change) { return name_of(change) == name_of(*entry); });
    if (!changed) entries.push_back(*entry);
  }
  for (std::string const& change : changes) entries.push_back(const_cast<char*>(change.c_str()));
  entries.push_back(nullptr);
  return entries;
}

}  // namespace

ChildProcess::ChildProcess(std::vector<std::string> const& command,
                           std::vector<std::string> const& environment) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw EnvironmentError(fmt::format("no socket for a process: {}", std::strerror(errno)));
  socket_ = ends[0];
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string const& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  // Not fork(): where CUDA has been started already, only exec is allowed behind it.
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int const standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_adddup2(&actions, ends[1], standard);
  int const status = posix_spawn(&id_, command.front().c_str(), &actions, nullptr, arguments.data(),
                                 environment_with(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (status == 0) return;
  close(socket_);
  throw EnvironmentError(
      fmt::format("{}: cannot be started ({})", command.front(), std::strerror(status)));
}

ChildProcess::~ChildProcess() {
  shutdown(socket_, SHUT_WR);
  constexpr int patience_ms = 5000;
  constexpr int pause_ms = 10;
  int waited_ms = 0;
  while (waitpid(id_, nullptr, WNOHANG) == 0) {
    if (waited_ms >= patience_ms) {
      kill(id_, SIGKILL);
      waitpid(id_, nullptr, 0);
      break;
    }
    poll(nullptr, 0, pause_ms);
    waited_ms += pause_ms;
  }
  close(socket_);
}

std::string ChildProcess::read_line() const {
  std::string line;
  for (char c = 0; recv(socket_, &c, 1, 0) == 1 && c != '\n';) line += c;
  return line;
}

void ChildProcess::say(std::string const& line) const {
  std::string const bytes = line + "\n";
  // Without a signal if nobody is there to read it.
  send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

}  // namespace tessera
