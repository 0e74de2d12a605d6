// SPDX-License-Identifier: MIT
// The names of files in the making, and what happens to those that nobody will finish.
#pragma once

#include <filesystem>
#include <string>

namespace tessera {

/// A name that this process has not given before; hidden, and like no finished file's. Says on
/// which machine and by which process it was made.
std::string new_part_name();

/// Removes those in the folder whose process has ended: of this machine, or, of another one, that
/// have not been written to for a day. What cannot be removed stays.
void remove_dead_parts(std::filesystem::path const& folder);

}  // namespace tessera
