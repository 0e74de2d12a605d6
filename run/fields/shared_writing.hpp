// SPDX-License-Identifier: MIT
// Collective operations for writing one file together (io/shared_file.hpp).
#pragma once

#include <optional>
#include <string>

#include "io/shared_file.hpp"

namespace tessera {

/// All ranks: broadcasts the file that rank 0 has made and marked; nothing if it could not.
std::optional<MarkedFile> file_of_first(std::optional<MarkedFile> const& file);

/// All ranks: whether each can write to that file; otherwise rank 0 writes all.
bool all_can_write_to(MarkedFile const& file);

/// All ranks: whether no rank has failed, which is a `why` that is not empty. Throws
/// EnvironmentError "rank N: WHY" on rank 0 if one has.
bool all_well(std::string const& why);

}  // namespace tessera
