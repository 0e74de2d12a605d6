// SPDX-License-Identifier: MIT
// The arrays of a checkpoint, as HDF5 has them in the file.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/storage.hpp"
#include "io/hdf5_handle.hpp"

namespace tessera {

/// The type of values in the file, and in memory on machines of this byte order.
template <class Value>
hid_t hdf5_type_of();
template <>
hid_t hdf5_type_of<char>();
template <>
hid_t hdf5_type_of<std::int64_t>();
template <>
hid_t hdf5_type_of<float>();
template <>
hid_t hdf5_type_of<double>();
hid_t hdf5_type_of_populations(Precision precision);

/// Creates a file that begins with room for the seal. Throws EnvironmentError, as all below do.
Hdf5Handle make_checkpoint_file(std::filesystem::path const& path);
/// Creates an array, which has its place in the file at once.
Hdf5Handle make_array(hid_t file, std::string const& name, hid_t type, hsize_t values);
std::uint64_t size_of_array(hid_t array);
bool is_array_of(hid_t array, hid_t type);

/// `count` values of an array from `begin` on, and memory for as many.
struct ArrayPart {
  Hdf5Handle in_file;
  Hdf5Handle in_memory;
  ArrayPart(hid_t array, hsize_t begin, hsize_t count);
};

/// Where the values of each block lie in an array.
struct BlockIndex {
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> counts;

  explicit BlockIndex(std::size_t blocks = 0) : begins(blocks), counts(blocks) {}

  /// Whether all blocks lie within so many values.
  bool fits(std::uint64_t values) const;
};

}  // namespace tessera
