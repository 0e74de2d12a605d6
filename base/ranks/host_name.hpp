// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tessera {

/// As the system calls it.
std::string host_name();

}  // namespace tessera
