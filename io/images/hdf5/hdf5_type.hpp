// SPDX-License-Identifier: MIT
// Types of HDF5 data sets: which are types of voxels, and names for the others. Not for use outside
// io/.
#pragma once

#include <hdf5.h>

#include <optional>
#include <string>

#include "io/images/element_type.hpp"

namespace tessera {

/// The type of voxels; nothing for other than numbers. An enumeration has the type of its values,
/// or boolean if its names are FALSE and TRUE.
std::optional<ElementType> element_of_hdf5(hid_t type);

/// The type in memory to which HDF5 converts elements of a type in a file; the caller closes it.
hid_t memory_type_of_hdf5(hid_t type, ElementType element);

/// Description of a type that is no number, for messages: "compounds of label, grey".
std::string name_of_hdf5_type(hid_t type);

}  // namespace tessera
