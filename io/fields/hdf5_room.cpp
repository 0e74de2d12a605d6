// SPDX-License-Identifier: MIT
#include "io/fields/hdf5_room.hpp"

#include <algorithm>
#include <optional>

#include "base/errors.hpp"

namespace tessera {
namespace {

/// HDF5 asks a driver through plain functions.
struct Driver {
  H5FD_class_t own{};  ///< HDF5's own driver
  void const* nothing = nullptr;
  std::optional<std::uint64_t> place;
};
thread_local Driver driver;

herr_t write_but_nothing(H5FD_t* file, H5FD_mem_t type, hid_t properties, haddr_t at,
                         std::size_t size, void const* bytes) {
  if (bytes != driver.nothing) return driver.own.write(file, type, properties, at, size, bytes);
  driver.place = at;
  return 0;
}

/// Class of the driver that HDF5 opens files with by default.
H5FD_class_t class_of_default() {
  Hdf5Handle const access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make a property list"};
  hdf5_checked(H5Pset_fapl_sec2(access), "choose a file driver");
  H5FD_t* const file = H5FDopen("/dev/null", H5F_ACC_RDONLY, access, HADDR_UNDEF);
  if (file == nullptr) throw EnvironmentError("HDF5 has no file driver");
  H5FD_class_t const found = *file->cls;
  H5FDclose(file);
  return found;
}

}  // namespace

Hdf5Room::Hdf5Room() {
  driver.own = class_of_default();
  H5FD_class_t changed = driver.own;
  changed.name = "tessera_room";
  changed.write = write_but_nothing;
  driver_ = hdf5_checked(H5FDregister(&changed), "take a file driver");
}

Hdf5Room::~Hdf5Room() {
  H5FDunregister(driver_);
  driver.nothing = nullptr;
}

Hdf5Handle Hdf5Room::access() const {
  Hdf5Handle access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make a property list"};
  hdf5_checked(H5Pset_driver(access, driver_, nullptr), "choose a file driver");
  return access;
}

std::uint64_t Hdf5Room::make(hid_t array, std::span<hsize_t const> begin, std::size_t bytes) {
  nothing_.resize(std::max(nothing_.size(), bytes));
  driver.nothing = nothing_.data();
  driver.place.reset();
  hdf5_checked(H5Dwrite_chunk(array, H5P_DEFAULT, 0, begin.data(), bytes, nothing_.data()),
               "make room for a part of a data set");
  if (!driver.place) throw EnvironmentError("HDF5 does not say where a part of a data set stands");
  return *driver.place;
}

}  // namespace tessera
