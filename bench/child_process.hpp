// SPDX-License-Identifier: MIT
// Another process that we start, talk to, and end.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace tessera {

/// Its standard input is what we say, and what it prints or complains of is what we read. It ends
/// with this object; if we are killed it meets the end of its input.
class ChildProcess {
 public:
  /// `command`: the program's path and its arguments. `environment`: NAME=value; these outweigh
  /// ours, which it has besides. Throws EnvironmentError.
  ChildProcess(std::vector<std::string> const& command,
               std::vector<std::string> const& environment = {});
  /// Ends its input and waits for its end, for some seconds; then it is killed.
  ~ChildProcess();
  ChildProcess(ChildProcess const&) = delete;
  ChildProcess& operator=(ChildProcess const&) = delete;

  /// Waits for the next line that it prints; what there is of it if it ends instead.
  std::string read_line() const;
  /// Sends a line. Says nothing if it is not there any more.
  void say(std::string const& line) const;

 private:
  pid_t id_ = -1;
  int socket_ = -1;
};

}  // namespace tessera
