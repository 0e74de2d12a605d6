// SPDX-License-Identifier: MIT
// Errors that ParaView and the scripts write to ParaView's log.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// While an object exists, ParaView's log does not go to standard error, and errors are kept: not
/// only exceptions of scripts (insitu/paraview/hooks.py), but also errors that writers and filters
/// log and do not return. One at a time.
class ErrorLog {
 public:
  ErrorLog();
  ~ErrorLog();
  ErrorLog(ErrorLog const&) = delete;
  ErrorLog& operator=(ErrorLog const&) = delete;

  void add(std::string text);
  /// The errors since the last call, without repetitions.
  std::vector<std::string> take();

 private:
  std::vector<std::string> errors_;
};

}  // namespace tessera
