// SPDX-License-Identifier: MIT
// The data sets of an HDF5 file, and their attributes. Not for use outside io/.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <string>
#include <vector>

#include "io/images/stored_volumes.hpp"

namespace tessera {

/// All data sets, each once, with those of other files to which links lead; and the one at the path
/// `wanted`, by whatever links.
StoredArrays arrays_in_hdf5(hid_t file, std::string const& wanted);

/// The names of the axes of a data set, slowest first, if the file has any: h5py's labels, the
/// dimensions of NetCDF-4, ilastik's tags.
std::vector<std::string> axes_of_hdf5(hid_t dataset, std::size_t axes);

/// The attributes of an object, valid as long as it is open.
Attributes attributes_of_hdf5(hid_t object);

}  // namespace tessera
