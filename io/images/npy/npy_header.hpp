// SPDX-License-Identifier: MIT
// Not for use outside io/.
#pragma once

#include <string>

namespace tessera {

/// The header of version 1.0 of the .npy format (numpy.lib.format), so long that values are
/// aligned. `type`: NumPy's, "<f4"; `shape`: "(3,4,5,)"; C order.
std::string npy_header(std::string const& type, std::string const& shape);

}  // namespace tessera
