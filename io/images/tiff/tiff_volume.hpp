// SPDX-License-Identifier: MIT
// Which volume the pages of a TIFF file are. TIFF itself has pages one behind the other; whether
// these are slices of one volume, all of them and in which order is said beside, by ImageJ, OME and
// tifffile each in its own way. Not for use outside io/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/images/tiff/tiff_file.hpp"
#include "io/images/tiff/tiff_pages.hpp"

namespace tessera {

/// An array in the words of tifffile, which writes {"shape": [16, 20, 24]} beside its first page.
struct TiffArray {
  std::int64_t page = 0;  ///< the first
  std::vector<std::int64_t> shape;
  std::string axes;  ///< a letter for each, if the file says them
};

/// All pages of a file, looked through.
struct TiffPages {
  PageLayout layout;  ///< of each
  std::int64_t count = 1;
  std::string description;             ///< of the first
  std::vector<TiffArray> arrays;       ///< that tifffile says
  std::vector<std::uint16_t> numbers;  ///< tag "page number", if every page has one
  std::uint16_t numbered_of = 0;       ///< how many there are by the same tag
  std::uint64_t end_of_voxels = 0;     ///< in the file
};

/// Goes through the pages, of which the first is the current one, and returns to it. Throws
/// BadInput if one is damaged, differs from the first or lacks voxels.
TiffPages look_through_pages(TiffFile const& file, std::uintmax_t stored);

struct TiffVolume {
  /// More than pages where the slices of ImageJ's big stacks follow its only page without pages of
  /// their own.
  std::int64_t slices = 1;
  std::vector<std::int64_t> slice_of_page;
  /// Of a file with one slice of many: which of them, if OME says so.
  std::optional<std::int64_t> place;
};

/// Throws BadInput if they are not one whole volume. `one_of_many`: the file is to hold one slice,
/// and what it says of the others is not asked.
TiffVolume volume_of(TiffFile const& file, TiffPages const& pages, bool one_of_many);

}  // namespace tessera
