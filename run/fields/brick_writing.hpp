// SPDX-License-Identifier: MIT
// Files of fields whose bricks are distributed over the processes: each process compresses its own
// bricks, and all write into the one file at the same time; where one of them has no access to the
// file, rank 0 gathers and writes the bricks.
#pragma once

#include <filesystem>
#include <span>

#include "base/box.hpp"
#include "io/fields/field.hpp"

namespace tessera {

/// All ranks: writes fields on a box of `shape` voxels of these edges in the
/// format of the name's ending (io/fields/field_files.hpp). `own`: values of the own bricks
/// (run/fields/whole_fields.hpp). The file is, byte by byte, the one that write_fields() makes of
/// all values; it appears complete under its name or not at all. Throws EnvironmentError on rank 0;
/// "rank N: ..." for an error of another rank.
void write_spread_fields(std::filesystem::path const& path, Int3 shape, Spacing const& spacing,
                         std::span<Field const> own);

}  // namespace tessera
