// SPDX-License-Identifier: MIT
// Checks of files that all ranks read: a rank that reads another file under the same name would
// compute something else than the others.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tessera {

/// All ranks: sha256_of_files() of files that each rank has found under `name`; files that ranks of
/// one host share are read by one of them. `known`: the hash of this rank, if it has read them.
/// Throws BadInputOfAll "NAME: ..." unless they are the same for all.
std::string sha256_for_all(std::string const& name, std::vector<std::filesystem::path> const& files,
                           std::string const& known = {});

/// All ranks: throws BadInputOfAll "FILE: ..." unless a file is the same for all ranks.
void expect_same_file_for_all(std::filesystem::path const& file);

}  // namespace tessera
