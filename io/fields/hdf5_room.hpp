// SPDX-License-Identifier: MIT
// Space in an HDF5 file for chunks that are written without HDF5: HDF5 allocates and indexes them
// as if it wrote them, and so the file is, byte by byte, the one that it would have written.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/hdf5_handle.hpp"

namespace tessera {

/// A driver of files like HDF5's own, except for the chunks for which space is made. One at a time.
class Hdf5Room {
 public:
  Hdf5Room();
  ~Hdf5Room();
  Hdf5Room(Hdf5Room const&) = delete;
  Hdf5Room& operator=(Hdf5Room const&) = delete;

  /// Properties to create the file with.
  Hdf5Handle access() const;
  /// Makes space for the chunk that begins at `begin` in a data set of such a file, and that is
  /// `bytes` long after the filters; returns its first byte in the file. Throws EnvironmentError.
  std::uint64_t make(hid_t array, std::span<hsize_t const> begin, std::size_t bytes);

 private:
  hid_t driver_;
  std::vector<std::byte> nothing_;  ///< bytes for HDF5 to write
};

}  // namespace tessera
