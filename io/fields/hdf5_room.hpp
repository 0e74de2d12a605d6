// SPDX-License-Identifier: MIT
// Room in an HDF5 file for chunks that others write: HDF5 finds their places and keeps its books as
// if it wrote them, and so the file is, byte by byte, the one that it would have written.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/hdf5_handle.hpp"

namespace tessera {

/// A driver of files like HDF5's own but for the chunks that room is made for. One at a time.
class Hdf5Room {
 public:
  Hdf5Room();
  ~Hdf5Room();
  Hdf5Room(Hdf5Room const&) = delete;
  Hdf5Room& operator=(Hdf5Room const&) = delete;

  /// Properties to create the file with.
  Hdf5Handle access() const;
  /// Makes room for the chunk that begins there in a data set of such a file, whose filters have
  /// made it so many bytes long; returns its first byte in the file. Throws EnvironmentError.
  std::uint64_t make(hid_t array, std::span<hsize_t const> begin, std::size_t bytes);

 private:
  hid_t driver_;
  std::vector<std::byte> nothing_;  ///< HDF5 wants something to write
};

}  // namespace tessera
