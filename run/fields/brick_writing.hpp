// SPDX-License-Identifier: MIT
// Files of fields whose bricks lie spread over the processes: each compresses its own and writes
// them into the one file, all at a time; where one of them cannot see that file, they go through
// the first one.
#pragma once

#include <filesystem>
#include <span>

#include "base/box.hpp"
#include "io/fields/field.hpp"

namespace tessera {

/// All: writes fields on a box of `shape` voxels with edges of `spacing_m` metres in the format
/// that the end of the name says (io/fields/field_files.hpp). `own`: values of the own bricks
/// (run/fields/whole_fields.hpp). The file is, byte by byte, the one that write_fields() makes of
/// all values; it appears complete under its name or not at all. Throws EnvironmentError on the
/// first rank, "rank N: ..." if that of another one.
void write_spread_fields(std::filesystem::path const& path, Int3 shape, double spacing_m,
                         std::span<Field const> own);

}  // namespace tessera
