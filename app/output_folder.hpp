// SPDX-License-Identifier: MIT
// Where results go.
#pragma once

#include <filesystem>
#include <string>

namespace tessera {

/// Makes the folder that an option names and sees that `file` can be written to it, before hours go
/// by. Throws EnvironmentError.
std::filesystem::path prepare_folder(char const* option, std::string const& out, char const* file);

}  // namespace tessera
