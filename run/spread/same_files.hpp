// SPDX-License-Identifier: MIT
// Files that all ranks read: whoever reads another one under the same name would compute something
// else than the others.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tessera {

/// All: sha256_of_files() of files that each rank has found under `name`; those that ranks of one
/// host share are read by one of them. `known`: of this rank, if it has read them. Throws
/// BadInputOfAll "NAME: ..." unless they are the same for all.
std::string sha256_for_all(std::string const& name, std::vector<std::filesystem::path> const& files,
                           std::string const& known = {});

/// All: likewise of one file, of which nobody wants to know the fingerprint.
void expect_same_file_for_all(std::filesystem::path const& file);

}  // namespace tessera
