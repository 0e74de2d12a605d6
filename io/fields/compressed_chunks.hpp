// SPDX-License-Identifier: MIT
// The chunks of an HDF5 data set, compressed by all cores, as HDF5 itself uses one.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <span>
#include <vector>

namespace tessera {

/// A chunk as it stands in a data set whose layout is chunks of `chunk`, shuffle and deflate:
/// `values` of `extents` (slowest first), `element` bytes each, with zeros up to `chunk`. Throws
/// EnvironmentError.
std::vector<std::byte> packed_chunk(std::span<hsize_t const> extents,
                                    std::span<hsize_t const> chunk, std::size_t element,
                                    std::byte const* values);

/// Writes a data set of these extents (slowest first), whose layout is chunks of `chunk`, shuffle
/// and deflate, in that order. `values`: in the order of the extents, `element` bytes each, as they
/// stand in the file. The bytes do not depend on the number of cores, but may on their instruction
/// set. Throws EnvironmentError.
void write_compressed_chunks(hid_t dataset, std::span<hsize_t const> extents,
                             std::span<hsize_t const> chunk, std::size_t element,
                             std::byte const* values);

}  // namespace tessera
