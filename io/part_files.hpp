// SPDX-License-Identifier: MIT
// Names of files while they are written, and removal of files whose process has ended.
#pragma once

#include <filesystem>
#include <string>

namespace tessera {

/// A name that this process has not used before; hidden, and unlike the names of finished files. It
/// contains the machine and the process that made it.
std::string new_part_name();

/// Removes such files from the folder if their process on this machine has ended or, for another
/// machine, if they have not been written to for a day. Files that cannot be removed stay.
void remove_dead_parts(std::filesystem::path const& folder);

}  // namespace tessera
