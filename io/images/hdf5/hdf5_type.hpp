// SPDX-License-Identifier: MIT
// Types of HDF5 data sets: which are voxels, and what the others are. Not for use outside io/.
#pragma once

#include <hdf5.h>

#include <optional>
#include <string>

#include "io/images/element_type.hpp"

namespace tessera {

/// The type of voxels; nothing for what is no number. An enumeration is what its names stand for,
/// or boolean if they are FALSE and TRUE.
std::optional<ElementType> element_of_hdf5(hid_t type);

/// What HDF5 is to hand out for elements of a type in a file; for the caller to close.
hid_t memory_type_of_hdf5(hid_t type, ElementType element);

/// For people, what is no number: "compounds of label, grey".
std::string name_of_hdf5_type(hid_t type);

}  // namespace tessera
