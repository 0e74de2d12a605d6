// SPDX-License-Identifier: MIT
// Files that a run could not write, without which it continues: no failure of a record may lose the
// result.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "run/console/log.hpp"

namespace tessera {

/// What went wrong, in words.
inline std::string reason(std::exception const& error) {
  return dynamic_cast<std::bad_alloc const*>(&error) != nullptr ? "out of memory" : error.what();
}

/// Why `work` has failed; empty if it has not.
template <class Work>
std::string why_not(Work const& work) {
  try {
    work();
  } catch (std::exception const& error) {
    return reason(error);
  }
  return {};
}

class Losses {
 public:
  /// Calls `write`, which writes some files; if it throws, prints the error at once. Only rank 0
  /// writes.
  template <class Write>
  bool attempt(std::string const& what, Write const& write) {
    if (!Ranks::is_root()) return true;
    try {
      write();
      return true;
    } catch (std::exception const& error) {
      // Most name the file themselves.
      std::string const why = reason(error);
      log_error(why.find(what) == std::string::npos ? what + ": " + why : why);
      lost_.push_back(what);
      return false;
    }
  }

  /// All ranks: calls `write`, by which all ranks write files together; if it throws on rank 0,
  /// prints the error at once.
  template <class Write>
  void attempt_together(std::string const& what, Write const& write) {
    if (!Ranks::is_root()) return write();
    attempt(what, write);
  }

  bool any() const { return !lost_.empty(); }
  /// Prints again, in one line, what is missing, so that it stands at the end of the output.
  void repeat() const {
    if (lost_.empty()) return;
    log_error("not written: {}{}", lost_.front(),
              lost_.size() == 1 ? "" : " and " + std::to_string(lost_.size() - 1) + " more");
  }

 private:
  std::vector<std::string> lost_;
};

}  // namespace tessera
