// SPDX-License-Identifier: MIT
// The two kinds of errors that end Tessera; the command maps them to exit statuses.
#pragma once

#include <stdexcept>
#include <string>

namespace tessera {

/// The user's input is at fault. The message is one line: what, where, what was expected. Exit
/// status 2.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The environment is at fault (a full disk, no worker, a failing library). Exit status 1.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tessera
