// SPDX-License-Identifier: MIT
// The chunks of an HDF5 data set, compressed by all cores: HDF5 itself does it on one.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <span>
#include <vector>

namespace tessera {

/// Writes a layer of chunks of a data set, of these extents (slowest first), whose layout is chunks
/// of `chunk`, shuffle and deflate, in that order: the chunks that begin at `first` along the
/// slowest axis. `values`: of that layer, in the order of the extents, `element` bytes each, as
/// they stand in the file. The same bytes whatever the number of cores. Throws EnvironmentError.
void write_compressed_chunks(hid_t dataset, std::span<hsize_t const> of_data_set,
                             std::span<hsize_t const> chunk, std::size_t element,
                             std::byte const* values, hsize_t first);

}  // namespace tessera
