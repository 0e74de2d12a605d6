// SPDX-License-Identifier: MIT
// A DICOM file of one slice: its elements (DICOM PS3.5 and PS3.10), and its pixels if they are
// stored as plain numbers. Not for use outside io/.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/images/element_type.hpp"

namespace tessera {

struct DicomSlice {
  std::filesystem::path path;
  Int3 shape;                           ///< of one layer
  std::vector<double> spacing;          ///< mm, of columns and of rows, if given
  std::optional<double> position;       ///< mm, along the normal of the slice
  std::array<double, 6> orientation{};  ///< of its rows and of its columns
  std::optional<double> distance;       ///< mm, to its neighbours, as given
  std::optional<double> thickness;      ///< mm
  std::string series;                   ///< of the slices that belong together
  ElementType type;                     ///< of `voxels`
  Voxels voxels;
};

/// The slice of a file. Throws BadInput: truncated, longer than its header says, packed, several
/// frames, colours, values that need a table.
DicomSlice read_dicom_slice(std::filesystem::path const& path);

/// Whether a file is the list of the others, by its name.
bool is_dicom_directory(std::filesystem::path const& path);

}  // namespace tessera
