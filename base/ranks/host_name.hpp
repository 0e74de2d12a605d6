// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace tessera {

/// The system's name of this host.
std::string host_name();

}  // namespace tessera
