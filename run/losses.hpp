// SPDX-License-Identifier: MIT
// What a run could not write, and went on without: nothing that fails beside an answer may take it
// along.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "run/cli/log.hpp"

namespace tessera {

/// What went wrong, in words.
inline std::string reason(std::exception const& error) {
  return dynamic_cast<std::bad_alloc const*>(&error) != nullptr ? "out of memory" : error.what();
}

/// Why it has failed, if it has.
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
  /// Calls what writes a file or a few; if that throws, says so at once. Of several processes the
  /// first one writes.
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

  /// All: likewise with what all processes write together, which throws on the first one.
  template <class Write>
  void attempt_together(std::string const& what, Write const& write) {
    if (!Ranks::is_root()) return write();
    attempt(what, write);
  }

  bool any() const { return !lost_.empty(); }
  /// Says again, in one line, what is missing, for those who read the end only.
  void repeat() const {
    if (lost_.empty()) return;
    log_error("not written: {}{}", lost_.front(),
              lost_.size() == 1 ? "" : " and " + std::to_string(lost_.size() - 1) + " more");
  }

 private:
  std::vector<std::string> lost_;
};

}  // namespace tessera
