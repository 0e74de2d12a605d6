// SPDX-License-Identifier: MIT
// The filter that h5py packs by with compression="lzf". HDF5 does not bring it along. Not for use
// outside io/.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <span>

namespace tessera {

inline constexpr H5Z_filter_t lzf_filter = 32000;  ///< its number at the HDF Group

/// Makes HDF5 unpack by it from now on. Throws EnvironmentError.
void register_lzf();

/// Unpacks LZF (M. Lehmann, liblzf): runs of plain bytes, and copies of what has been. Whether the
/// bytes are such, and fill `to`.
bool unpack_lzf(std::span<std::byte const> packed, std::span<std::byte> to);

}  // namespace tessera
