// SPDX-License-Identifier: MIT
// Whether all values of an HDF5 data set exist: HDF5 returns fill values for chunks that were never
// written and for sources of virtual data sets that it does not find, and zeros behind the end of
// external files. Not for use outside io/.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/hdf5_handle.hpp"

namespace tessera {

/// Opens a data set; it finds its external files beside its own file, if not in the working folder.
Hdf5Handle open_hdf5_dataset(hid_t file, std::string const& name);

/// The files that contain the values of a data set: `path`, if that is its file, and the others.
/// Throws BadInput if a part of them is missing, or packed by a filter that HDF5 does not have
/// here.
std::vector<std::filesystem::path> files_of_hdf5_values(std::filesystem::path const& path,
                                                        hid_t dataset);

}  // namespace tessera
