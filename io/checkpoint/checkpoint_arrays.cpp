// SPDX-License-Identifier: MIT
#include "io/checkpoint/checkpoint_arrays.hpp"

#include "io/checkpoint/checkpoint_seal.hpp"

namespace tessera {
namespace {

Hdf5Handle line_of(hsize_t values) {
  return {H5Screate_simple(1, &values, nullptr), H5Sclose, "make a data space"};
}

}  // namespace

template <>
hid_t hdf5_type_of<char>() {
  return H5T_STD_U8LE;
}
template <>
hid_t hdf5_type_of<std::int64_t>() {
  return H5T_STD_I64LE;
}
template <>
hid_t hdf5_type_of<float>() {
  return H5T_IEEE_F32LE;
}
template <>
hid_t hdf5_type_of<double>() {
  return H5T_IEEE_F64LE;
}

hid_t hdf5_type_of_populations(Precision precision) {
  switch (precision) {
    case Precision::single_precision:
      return H5T_IEEE_F32LE;
    case Precision::double_precision:
      return H5T_IEEE_F64LE;
    case Precision::half_storage:
      break;
  }
  return H5T_STD_U16LE;  // Half, which is scaled
}

Hdf5Handle make_checkpoint_file(std::filesystem::path const& path) {
  Hdf5Handle const layout{H5Pcreate(H5P_FILE_CREATE), H5Pclose, "make a property list"};
  hdf5_checked(H5Pset_userblock(layout, seal_bytes), "set a property");
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, layout, H5P_DEFAULT), H5Fclose, "create the file"};
}

Hdf5Handle make_array(hid_t file, std::string const& name, hid_t type, hsize_t values) {
  Hdf5Handle const layout{H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a property list"};
  // A state has the same bytes, whenever it is written.
  hdf5_checked(H5Pset_obj_track_times(layout, false), "set a property");
  hdf5_checked(H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER), "set a property");
  hdf5_checked(H5Pset_alloc_time(layout, H5D_ALLOC_TIME_EARLY), "set a property");
  Hdf5Handle const links{H5Pcreate(H5P_LINK_CREATE), H5Pclose, "make a property list"};
  hdf5_checked(H5Pset_create_intermediate_group(links, 1), "set a property");
  return {H5Dcreate2(file, name.c_str(), type, line_of(values), links, layout, H5P_DEFAULT),
          H5Dclose, "make a data set"};
}

std::uint64_t size_of_array(hid_t array) {
  Hdf5Handle const space{H5Dget_space(array), H5Sclose, "read it"};
  return static_cast<std::uint64_t>(hdf5_checked(H5Sget_simple_extent_npoints(space), "read it"));
}

bool is_array_of(hid_t array, hid_t type) {
  Hdf5Handle const found{H5Dget_type(array), H5Tclose, "read it"};
  return hdf5_checked(H5Tequal(found, type), "read it") > 0;
}

ArrayPart::ArrayPart(hid_t array, hsize_t begin, hsize_t count)
    : in_file(H5Dget_space(array), H5Sclose, "read a data space"), in_memory(line_of(count)) {
  hdf5_checked(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, &begin, nullptr, &count, nullptr),
               "select a part of a data set");
}

bool BlockIndex::fits(std::uint64_t values) const {
  if (begins.size() != counts.size()) return false;
  for (std::size_t b = 0; b < begins.size(); ++b) {
    if (begins[b] < 0 || counts[b] < 0 || static_cast<std::uint64_t>(begins[b]) > values ||
        static_cast<std::uint64_t>(counts[b]) > values - static_cast<std::uint64_t>(begins[b]))
      return false;
  }
  return true;
}

}  // namespace tessera
