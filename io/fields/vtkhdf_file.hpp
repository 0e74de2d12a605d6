// SPDX-License-Identifier: MIT
// What VTKHDF files of all types have in common. For io/fields/vtkhdf* alone.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "io/fields/field.hpp"
#include "io/hdf5_handle.hpp"

namespace tessera {

/// Below this size an array is neither cut nor compressed.
inline constexpr std::size_t small_bytes = 65536;
inline constexpr unsigned fastest_deflate = 1;

Hdf5Handle make_group(hid_t parent, char const* name);
Hdf5Handle make_space(std::span<hsize_t const> extents);

void write_attribute(hid_t owner, char const* name, std::span<std::int64_t const> values);
void write_attribute(hid_t owner, char const* name, std::span<double const> values);
void write_attribute(hid_t owner, char const* name, std::string_view text);

/// A type of values for HDF5.
struct ValueType {
  hid_t file;
  hid_t memory;
  std::size_t bytes;
};
ValueType value_type(float);
ValueType value_type(std::uint8_t);
ValueType value_type(std::int32_t);

/// The values of a field for HDF5.
struct RawValues {
  hid_t file_type;
  hid_t memory_type;
  void const* data;
  std::size_t count;
  std::size_t bytes;
};
RawValues raw_values(Field const& field);

/// Makes a file of version 1.0 and this type with these properties of access, and calls `fill` with
/// its root. Throws EnvironmentError.
void make_vtkhdf_file(std::filesystem::path const& file, hid_t access, char const* type,
                      std::function<void(hid_t root)> const& fill);

/// Writes a file of version 1.0 and this type, which `fill` fills from its root. It appears
/// complete under its name or not at all. Throws EnvironmentError.
void write_vtkhdf_file(std::filesystem::path const& path, char const* type,
                       std::function<void(hid_t root)> const& fill);

}  // namespace tessera
