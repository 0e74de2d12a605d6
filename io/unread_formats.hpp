// SPDX-License-Identifier: MIT
// Formats of images that are not read, but known: taken for headerless voxels they would give a
// wrong image without a word. Not for use outside io/.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace tessera {

/// The name of such a format, by the first bytes of the file or the end of its name.
std::optional<std::string_view> unread_format(std::filesystem::path const& path);

}  // namespace tessera
