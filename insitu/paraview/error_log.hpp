// SPDX-License-Identifier: MIT
// What ParaView and the scripts write to ParaView's log as errors.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// While it lives, ParaView's log is silent on standard error, and errors are kept: not only
/// exceptions of scripts (insitu/paraview/hooks.py), but also what writers and filters have to say
/// and do not return. One at a time.
class ErrorLog {
 public:
  ErrorLog();
  ~ErrorLog();
  ErrorLog(ErrorLog const&) = delete;
  ErrorLog& operator=(ErrorLog const&) = delete;

  void add(std::string text);
  /// The errors since it was last asked, without repetitions.
  std::vector<std::string> take();

 private:
  std::vector<std::string> errors_;
};

}  // namespace tessera
