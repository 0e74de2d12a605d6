// SPDX-License-Identifier: MIT
// What processes say to each other when they write one file together (io/shared_file.hpp).
#pragma once

#include <optional>
#include <string>

#include "io/shared_file.hpp"

namespace tessera {

/// All: the file that the first one has made and marked; nothing if it could not.
std::optional<MarkedFile> file_of_first(std::optional<MarkedFile> const& file);

/// All: whether each can write to that file. Else all goes through the first one.
bool all_can_write_to(MarkedFile const& file);

/// All: whether none says why it has failed. Throws EnvironmentError "rank N: WHY" on the first
/// rank if one does.
bool all_well(std::string const& why);

}  // namespace tessera
