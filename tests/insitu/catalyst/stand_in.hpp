// SPDX-License-Identifier: MIT
// What libcatalyst's stand-in has been called with.
#pragma once

#include <catalyst.h>

#include <map>
#include <string>
#include <vector>

namespace tessera::test {

/// The leaves of a tree by their paths, as they were when it was handed over. An element of a list
/// has its number in the path.
struct ConduitTree {
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, bool> borrowed;  ///< of numbers: the memory is the caller's
};

struct CatalystCalls {
  std::vector<ConduitTree> initialised, executed;
  int finalised = 0;
  catalyst_status answer = catalyst_status_ok;  ///< to every call
};

/// All calls of this process, to be reset by whoever looks at them.
CatalystCalls& catalyst_calls();

}  // namespace tessera::test
