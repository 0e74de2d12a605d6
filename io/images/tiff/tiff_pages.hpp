// SPDX-License-Identifier: MIT
// The pages of a TIFF file as slices of a volume. Not for use outside io/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "io/images/element_type.hpp"
#include "io/images/image.hpp"
#include "io/images/tiff/tiff_file.hpp"

namespace tessera {

/// Properties on which all pages of a volume must agree.
struct PageLayout {
  std::int64_t width = 0;
  std::int64_t height = 0;
  int bits = 8;      ///< of a pixel as stored: 1, 8, 16, 32 or 64
  ElementType type;  ///< of a voxel once unpacked, in the byte order of the file
  int compression = 1;
  int predictor = 1;        ///< of this compression
  int photometric = 1;      ///< TIFF's number for which values are dark
  bool of_another = false;  ///< a small copy of another page, or a mask for one

  /// Whether both can be slices of one volume.
  bool goes_with(PageLayout const& other) const;
  /// "uint8", "1 bit, white is zero".
  std::string values() const;
  /// "24 x 20 of 8 bits (uint8)", and unusual properties.
  std::string text() const;
  std::uintmax_t row_bytes() const { return (static_cast<std::uintmax_t>(width * bits) + 7) / 8; }
  std::uintmax_t page_bytes() const { return row_bytes() * static_cast<std::uintmax_t>(height); }
};

/// The layout of the current page. Throws BadInput for pixels other than labels or grey values:
/// colour, complex numbers, unusual numbers of bits.
PageLayout layout_of_page(TiffFile const& file);

/// Reads these slices of a file whose first page is the current one, and whose pages all have this
/// layout: `slices` is the slice of each page. Supports any compression of libtiff, strips or
/// tiles. Throws BadInput if a page is damaged.
Voxels read_pages(TiffFile const& file, PageLayout const& layout,
                  std::span<std::int64_t const> slices, LayerRange kept);

}  // namespace tessera
