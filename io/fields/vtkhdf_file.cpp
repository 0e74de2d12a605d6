// SPDX-License-Identifier: MIT
#include "io/fields/vtkhdf_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <variant>

#include "base/errors.hpp"
#include "io/atomic_file.hpp"

namespace tessera {
namespace {

void write_attribute(hid_t owner, char const* name, hid_t file_type, hid_t memory_type, hid_t space,
                     void const* values) {
  Hdf5Handle const attribute{H5Acreate2(owner, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose, "make an attribute"};
  hdf5_checked(H5Awrite(attribute, memory_type, values), "write an attribute");
}

}  // namespace

Hdf5Handle make_group(hid_t parent, char const* name) {
  return {H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          "make a group"};
}

Hdf5Handle make_space(std::span<hsize_t const> extents) {
  return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose,
          "make a data space"};
}

void write_attribute(hid_t owner, char const* name, std::span<std::int64_t const> values) {
  std::array<hsize_t, 1> const extents{values.size()};
  write_attribute(owner, name, H5T_STD_I64LE, H5T_NATIVE_INT64, make_space(extents), values.data());
}

void write_attribute(hid_t owner, char const* name, std::span<double const> values) {
  std::array<hsize_t, 1> const extents{values.size()};
  write_attribute(owner, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, make_space(extents),
                  values.data());
}

/// VTK reads only strings of fixed length here.
void write_attribute(hid_t owner, char const* name, std::string_view text) {
  Hdf5Handle const type{H5Tcopy(H5T_C_S1), H5Tclose, "copy a type"};
  hdf5_checked(H5Tset_size(type, text.size()), "set the size of a string");
  hdf5_checked(H5Tset_strpad(type, H5T_STR_NULLPAD), "set the padding of a string");
  Hdf5Handle const scalar{H5Screate(H5S_SCALAR), H5Sclose, "make a data space"};
  write_attribute(owner, name, type, type, scalar, text.data());
}

ValueType value_type(float) { return {H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 4}; }
ValueType value_type(std::uint8_t) { return {H5T_STD_U8LE, H5T_NATIVE_UINT8, 1}; }
ValueType value_type(std::int32_t) { return {H5T_STD_I32LE, H5T_NATIVE_INT32, 4}; }

RawValues raw_values(Field const& field) {
  return std::visit(
      []<class T>(std::span<T const> values) -> RawValues {
        ValueType const type = value_type(T{});
        return {type.file, type.memory, values.data(), values.size(), values.size_bytes()};
      },
      field.values);
}

void make_vtkhdf_file(std::filesystem::path const& file, hid_t access, char const* type,
                      std::function<void(hid_t root)> const& fill) {
  errno = 0;
  Hdf5Handle hdf5{H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose,
                  "create the file"};
  {
    Hdf5Handle const root = make_group(hdf5, "VTKHDF");
    write_attribute(root, "Version", std::array<std::int64_t, 2>{1, 0});
    write_attribute(root, "Type", type);
    fill(root);
  }
  hdf5_checked(H5Fflush(hdf5, H5F_SCOPE_GLOBAL), "write the file to the disk");
  hdf5.close("close the file");
}

void write_vtkhdf_file(std::filesystem::path const& path, char const* type,
                       std::function<void(hid_t root)> const& fill) {
  AtomicFile target{path};
  QuietHdf5 const quiet;
  try {
    make_vtkhdf_file(target.temporary_path(), H5P_DEFAULT, type, fill);
  } catch (EnvironmentError const& error) {
    throw EnvironmentError(fmt::format("{}: {}", path.string(), error.what()));
  }
  target.commit();
}

}  // namespace tessera
