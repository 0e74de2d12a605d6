// SPDX-License-Identifier: MIT
// Voxels that stand in a file as text. Not for use outside io/.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "io/images/element_type.hpp"

namespace tessera {

/// Voxels from numbers with blanks or commas between them. Throws BadInput naming `path` if there
/// are fewer or more than `count`, or if one is no number of this type.
Voxels voxels_in_words(ElementType type, std::size_t count, std::string_view text,
                       std::filesystem::path const& path);

/// Voxels from two hexadecimal digits a byte, blanks anywhere. Throws BadInput naming `path` if
/// there are fewer or more than `count`, or other characters.
Voxels voxels_in_hex(ElementType type, std::size_t count, std::string_view text,
                     std::filesystem::path const& path);

}  // namespace tessera
