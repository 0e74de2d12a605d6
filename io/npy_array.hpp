// SPDX-License-Identifier: MIT
// The NumPy array format, wherever its bytes come from. Not for use outside io/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "io/element_type.hpp"
#include "io/image.hpp"

namespace tessera {

/// Reads an array of `size` bytes, header included; `name` is what messages call it. Throws
/// BadInput if it is not a 3-D array of plain numbers, if `size` is not what its header implies, or
/// if `shape` is given and differs.
Image read_npy_array(ByteSource const& source, std::uintmax_t size, std::optional<Int3> shape,
                     std::filesystem::path const& name);

}  // namespace tessera
