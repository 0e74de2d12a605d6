// SPDX-License-Identifier: MIT
// Checks what VTK's reader assumes of an XML image (.vti): that its pieces fill the whole, that all
// have the same arrays, and that each array has as many values as its piece. Where that does not
// hold, VTK leaves voxels undefined. Not for use outside io/.
#pragma once

#include <filesystem>

namespace tessera {

/// Throws BadInput if these assumptions do not hold, or if there are several times.
void require_whole_vti(std::filesystem::path const& path);

}  // namespace tessera
