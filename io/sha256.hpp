// SPDX-License-Identifier: MIT
// Fingerprints, in hexadecimal.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace tessera {

/// Of the files' contents, one behind the other. Throws BadInput if one cannot be read.
std::string sha256_of_files(std::vector<std::filesystem::path> const& paths);

std::string sha256_of(std::span<std::byte const> bytes);

}  // namespace tessera
