// SPDX-License-Identifier: MIT
// One writer per format of fields; write_fields() chooses among them. Not for use outside io/.
#pragma once

#include <filesystem>
#include <span>

#include "base/box.hpp"
#include "io/fields/field.hpp"

namespace tessera {

/// Writes as numpy.savez: uncompressed, for memory maps and other readers. Throws EnvironmentError.
void write_npz(std::filesystem::path const& path, Int3 shape, Spacing const& spacing,
               std::span<Field const> fields);

/// Writes a description of the file `data`, which write_vtkhdf() has written (xdmf.org, XDMF 3).
/// Throws EnvironmentError.
void write_xdmf(std::filesystem::path const& path, std::filesystem::path const& data, Int3 shape,
                Spacing const& spacing, std::span<Field const> fields);

}  // namespace tessera
