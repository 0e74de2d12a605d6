// SPDX-License-Identifier: MIT
// The filter of h5py's compression="lzf", which HDF5 does not contain. Not for use outside io/.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <span>

namespace tessera {

inline constexpr H5Z_filter_t lzf_filter = 32000;  ///< its number at the HDF Group

/// Registers the filter for reading. Throws EnvironmentError.
void register_lzf();

/// Unpacks LZF (M. Lehmann, liblzf): runs of plain bytes, and copies of earlier bytes. Returns
/// whether the bytes are valid and fill `to`.
bool unpack_lzf(std::span<std::byte const> packed, std::span<std::byte> to);

}  // namespace tessera
