// SPDX-License-Identifier: MIT
// The volume that the pages of a TIFF file form. TIFF itself has pages one behind the other;
// ImageJ, OME and tifffile each have their own metadata for whether these are slices of one volume,
// all of them, and in which order. Not for use outside io/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/images/tiff/tiff_file.hpp"
#include "io/images/tiff/tiff_pages.hpp"

namespace tessera {

/// An array in tifffile's metadata, which has {"shape": [16, 20, 24]} beside its first page.
struct TiffArray {
  std::int64_t page = 0;  ///< the first
  std::vector<std::int64_t> shape;
  std::string axes;  ///< a letter for each, if given
};

/// Properties of all pages of a file.
struct TiffPages {
  PageLayout layout;  ///< of each
  std::int64_t count = 1;
  std::string description;             ///< of the first
  std::vector<TiffArray> arrays;       ///< by tifffile's metadata
  std::vector<std::uint16_t> numbers;  ///< tag "page number", if every page has one
  std::uint16_t numbered_of = 0;       ///< how many there are by the same tag
  std::uint64_t end_of_voxels = 0;     ///< in the file
};

/// Reads the properties of all pages, of which the first is the current one, and returns to it.
/// Throws BadInput if one is damaged, differs from the first or lacks voxels.
TiffPages look_through_pages(TiffFile const& file, std::uintmax_t stored);

struct TiffVolume {
  /// More than pages where the slices of ImageJ's big stacks follow its only page without pages of
  /// their own.
  std::int64_t slices = 1;
  std::vector<std::int64_t> slice_of_page;
  /// For a file with one slice of several: the number of the slice, if OME's metadata has it.
  std::optional<std::int64_t> place;
};

/// The volume of the pages. Throws BadInput if they are not one complete volume. `one_of_many`: the
/// file should have one slice, and its metadata about other slices are ignored.
TiffVolume volume_of(TiffFile const& file, TiffPages const& pages, bool one_of_many);

}  // namespace tessera
