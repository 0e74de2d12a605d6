// SPDX-License-Identifier: MIT
// The pages of a TIFF file as slices of a volume. Not for use outside io/.
#pragma once

#include <cstdint>

#include "io/element_type.hpp"
#include "io/image.hpp"
#include "io/tiff_file.hpp"

namespace tessera {

/// What all pages of a volume have to agree on.
struct PageLayout {
  std::int64_t width = 0;
  std::int64_t height = 0;
  int bits = 8;      ///< of a pixel as stored: 1, 8, 16, 32 or 64
  ElementType type;  ///< of a voxel once unpacked, in the byte order of the file

  bool operator==(PageLayout const&) const = default;
  std::uintmax_t row_bytes() const { return (static_cast<std::uintmax_t>(width * bits) + 7) / 8; }
  std::uintmax_t page_bytes() const { return row_bytes() * static_cast<std::uintmax_t>(height); }
};

/// The layout of the current page. Throws BadInput for what is no label or grey value: colour,
/// complex numbers, unusual numbers of bits.
PageLayout layout_of_page(TiffFile const& file);

/// Reads pages of a file that has just been opened, into a volume of `layout`'s width and height.
/// Any compression that libtiff knows, strips or tiles. Throws BadInput if a page differs from
/// `layout` or is damaged.
Voxels read_pages(TiffFile const& file, PageLayout const& layout, LayerRange pages);

}  // namespace tessera
